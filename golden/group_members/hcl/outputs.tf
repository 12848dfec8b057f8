# Made by hot2tf from input.yaml

output "second_name" {
  value = try(openstack_networking_port_v2.ports[1].name, null)
}

output "third_mac" {
  value = try(openstack_networking_port_v2.ports[2].mac_address, null)
}

output "chosen" {
  value = try(
    openstack_networking_port_v2.ports[var.which < 0 ? length(openstack_networking_port_v2.ports) + var.which : var.which].id,
    null,
  )
}
