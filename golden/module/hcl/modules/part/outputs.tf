# Made by hot2tf from part.yaml

output "port_name" {
  value = openstack_networking_port_v2.port.name

  depends_on = [openstack_blockstorage_volume_v3.volume]
}

output "listed" {
  value = var.zones
}

output "role" {
  value = var.facade_metadata
}

output "stack" {
  value = "in ${var.size}"
}

output "group_id" {
  value = openstack_networking_secgroup_v2.group.id
}

output "port_mac_address" {
  value = openstack_networking_port_v2.port.mac_address
}
