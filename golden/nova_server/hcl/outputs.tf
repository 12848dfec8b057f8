# Made by hot2tf from input.yaml

output "id" {
  value = openstack_compute_instance_v2.server.id
}

output "name" {
  value = openstack_compute_instance_v2.server.name
}

output "address" {
  value = openstack_compute_instance_v2.server.access_ip_v4
}

output "on_private" {
  value = openstack_compute_instance_v2.server.network[0].fixed_ip_v4
}

output "addresses_private" {
  value = openstack_compute_instance_v2.server.network[0].fixed_ip_v4
}
