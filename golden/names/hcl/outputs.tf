# Made by hot2tf from input.yaml

output "for-each" {
  value = var.for_each_
}

output "the_net_2" {
  value = openstack_networking_network_v2.my_net.id
}

output "the_net" {
  value = openstack_networking_network_v2.my_net_2.id
}
