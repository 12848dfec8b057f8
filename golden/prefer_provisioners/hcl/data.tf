# Made by hot2tf: hot2tf convert input.yaml --prefer provisioners -o DIR

data "openstack_compute_instance_v2" "restart_others_first" {
  id = var.existing
}
