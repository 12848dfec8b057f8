# Made by hot2tf from input.yaml

data "openstack_compute_instance_v2" "restart_others_first" {
  id = var.existing
}
