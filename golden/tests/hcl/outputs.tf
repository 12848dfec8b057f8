# Made by hot2tf from input.yaml

output "url" {
  value = local.is_public ? openstack_networking_floatingip_v2.address[0].address : "none"
}

output "ports" {
  value = openstack_networking_port_v2.workers[*].id
}
