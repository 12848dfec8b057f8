# Made by hot2tf: hot2tf convert input.yaml -o DIR

data "openstack_networking_subnet_v2" "subnet" {
  name      = local.subnet_is_id ? null : var.subnet
  subnet_id = local.subnet_is_id ? var.subnet : null
}
