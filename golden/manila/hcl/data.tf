# Made by hot2tf from input.yaml

data "openstack_networking_subnet_v2" "subnet" {
  name      = local.subnet_is_id ? null : var.subnet
  subnet_id = local.subnet_is_id ? var.subnet : null
}

data "openstack_sharedfilesystem_snapshot_v2" "snapshot" {
  count = local.copied ? 1 : 0

  name = var.snapshot
}

data "openstack_sharedfilesystem_sharenetwork_v2" "made_by_hand" {
  count = local.copied ? 1 : 0

  name = "made-by-hand"
}
