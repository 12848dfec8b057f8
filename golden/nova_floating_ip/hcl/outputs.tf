# Made by hot2tf from input.yaml

output "ip" {
  value = openstack_networking_floatingip_v2.address.address
}
