# Converted from input.yaml by hot2tf.

output "gateway" {
  value = openstack_networking_subnet_v2.v4.gateway_ip
}

output "cidr" {
  value = openstack_networking_subnet_v2.v4.cidr
}
