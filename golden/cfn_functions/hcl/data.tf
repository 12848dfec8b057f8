data "openstack_compute_availability_zones_v2" "zones" {}
