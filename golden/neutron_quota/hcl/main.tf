# Made by hot2tf from input.yaml

# HOT421: Heat resets the quota when it deletes this; Terraform leaves the quota unchanged.
resource "openstack_networking_quota_v2" "all" {
  project_id          = "0f0c5e2c8a2b4a6f9a7d2a1e5b3c4d6e"
  floatingip          = 5
  network             = var.networks
  port                = 100
  rbac_policy         = 0
  router              = 3
  security_group      = -1
  security_group_rule = 200
  subnet              = 20
  subnetpool          = 2
}

# HOT421: Heat resets the quota when it deletes this; Terraform leaves the quota unchanged.
resource "openstack_networking_quota_v2" "by_name" {
  project_id = data.openstack_identity_project_v3.demo.id
  port       = 50
}
