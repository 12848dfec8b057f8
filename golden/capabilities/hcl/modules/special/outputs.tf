# Made by hot2tf from special.yaml: hot2tf convert input.yaml -e base.env.yaml -e site.env.yaml -o DIR

output "address" {
  value = openstack_networking_port_v2.port.all_fixed_ips[0]
}
