# Made by hot2tf from input.yaml

resource "openstack_identity_project_v3" "lab" {
  name      = "lab"
  domain_id = "default"
}

resource "openstack_compute_aggregate_v2" "fast" {
  name     = "fast"
  zone     = "nova"
  metadata = { ssd = true, rack = 7 }
  hosts    = ["compute-1", "compute-2"]
}

resource "openstack_compute_aggregate_v2" "slow" {
  name  = "slow"
  zone  = var.zone
  hosts = var.hosts
}

# HOT421: Heat resets the quota when it deletes this; Terraform leaves the quota unchanged.
resource "openstack_compute_quotaset_v2" "quota" {
  project_id                  = openstack_identity_project_v3.lab.id
  fixed_ips                   = 20
  floating_ips                = 5
  injected_file_content_bytes = 10240
  injected_file_path_bytes    = 255
  injected_files              = 5
  key_pairs                   = 20
  metadata_items              = -1
  ram                         = 81920
  security_group_rules        = 100
  security_groups             = 10
  cores                       = 40
  instances                   = 10
  server_groups               = 4
  server_group_members        = 8
}

# HOT421: Heat resets the quota when it deletes this; Terraform leaves the quota unchanged.
resource "openstack_compute_quotaset_v2" "other" {
  project_id = data.openstack_identity_project_v3.project.id
  cores      = 2
}

# HOT421: Heat resets the quota when it deletes this; Terraform leaves the quota unchanged.
resource "openstack_compute_quotaset_v2" "by_name" {
  project_id = openstack_identity_project_v3.lab.id
  instances  = 4
}
