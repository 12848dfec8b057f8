# Made by hot2tf from input.yaml

output "subnet" {
  value = one(openstack_networking_subnet_v2.subnet[*].id)
}

output "port" {
  value = local.both ? openstack_networking_port_v2.port[0].id : "none"
}

output "kind" {
  value = local.several ? "many" : (local.is_public ? "one open" : "one closed")
}
