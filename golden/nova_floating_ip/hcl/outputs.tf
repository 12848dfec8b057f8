# Made by hot2tf: hot2tf convert input.yaml -o DIR

output "ip" {
  value = openstack_networking_floatingip_v2.address.address
}
