# Made by hot2tf from special.yaml

output "address" {
  value = openstack_networking_port_v2.port.all_fixed_ips[0]
}
