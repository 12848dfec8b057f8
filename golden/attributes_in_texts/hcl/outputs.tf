# Made by hot2tf from input.yaml

output "joined" {
  value = join(",", coalesce(openstack_networking_subnet_v2.subnet.dns_nameservers, []))
}

output "port" {
  value = "port ${var.config.port}"
}

output "cidr" {
  value = "in ${openstack_networking_subnet_v2.second.cidr} of ${openstack_networking_network_v2.net.name}"
}
