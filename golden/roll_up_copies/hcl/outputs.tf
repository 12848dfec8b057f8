# Made by hot2tf from input.yaml

output "second" {
  value = openstack_compute_instance_v2.server["1"].access_ip_v4
}

output "addresses" {
  value = [
    openstack_networking_floatingip_v2.floating_ip[0].address,
    openstack_networking_floatingip_v2.floating_ip[2].address,
  ]
}

output "ports" {
  value = [openstack_networking_port_v2.port[1].id, openstack_networking_port_v2.port_3.id]
}
