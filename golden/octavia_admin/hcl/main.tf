# Made by hot2tf from input.yaml

resource "openstack_lb_flavorprofile_v2" "profile" {
  name          = "two-of-them"
  provider_name = "amphora"
  flavor_data   = "{\"loadbalancer_topology\": \"ACTIVE_STANDBY\"}"
}

resource "openstack_lb_flavorprofile_v2" "unnamed_profile" {
  name          = "${var.stack_name}-unnamed_profile"
  provider_name = "amphora"
  flavor_data   = "{\"compute_flavor\": \"m1.lb\"}"
}

resource "openstack_lb_flavor_v2" "flavor" {
  name              = "redundant"
  flavor_profile_id = openstack_lb_flavorprofile_v2.profile.id
  description       = "Two amphorae"
  enabled           = true
}

resource "openstack_lb_flavor_v2" "other_flavor" {
  name              = "${var.stack_name}-other_flavor"
  flavor_profile_id = openstack_lb_flavorprofile_v2.unnamed_profile.id
  enabled           = false
}

resource "openstack_lb_flavor_v2" "by_name" {
  name              = "by-name"
  flavor_profile_id = data.openstack_lb_flavorprofile_v2.made_by_hand.id
}

# HOT421: Heat resets the quota when it deletes this; Terraform leaves the quota unchanged.
resource "openstack_lb_quota_v2" "quota" {
  project_id     = data.openstack_identity_project_v3.project.id
  loadbalancer   = 5
  listener       = 10
  member         = -1
  pool           = 10
  health_monitor = 10
}

# HOT450: kept in Heat: zone_profile, zone.
# zone_profile: the provider has no availability zone profiles.
# zone: the provider has no availability zones for load balancers.
resource "openstack_orchestration_stack_v1" "zone_profile" {
  name             = "${var.stack_name}-zone-profile"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/zone_profile.yaml")
  }

  environment_opts = { Bin = "{}" }
}

resource "openstack_lb_loadbalancer_v2" "lb" {
  name              = "${var.stack_name}-lb"
  vip_subnet_id     = data.openstack_networking_subnet_v2.subnet.id
  flavor_id         = openstack_lb_flavor_v2.flavor.id
  availability_zone = lookup(local.zone_profile, "zone", null)
}
