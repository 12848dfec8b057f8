# Made by hot2tf from node.yaml: hot2tf convert input.yaml -e env.yaml --tests -o DIR

output "addresses" {
  value = openstack_compute_instance_v2.server.network[0].fixed_ip_v4
}
