# Made by hot2tf from node.yaml

output "addresses" {
  value = openstack_compute_instance_v2.server.network[0].fixed_ip_v4
}
