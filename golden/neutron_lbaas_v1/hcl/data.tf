# Made by hot2tf from input.yaml

data "openstack_networking_subnet_v2" "front" {
  name = var.front
}

data "openstack_networking_subnet_v2" "subnet" {
  name      = local.subnet_is_id ? null : var.subnet
  subnet_id = local.subnet_is_id ? var.subnet : null
}

data "openstack_compute_instance_v2" "others" {
  for_each = toset(var.more)

  id = each.value
}

data "openstack_compute_instance_v2" "by_id" {
  id = "01234567-89ab-cdef-0123-456789abcdef"
}
