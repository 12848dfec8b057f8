# Made by hot2tf from input.yaml

output "gateway" {
  value = openstack_networking_subnet_v2.v4.gateway_ip
}

output "cidr" {
  value = openstack_networking_subnet_v2.v4.cidr
}
