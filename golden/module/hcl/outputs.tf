# Made by hot2tf from input.yaml

output "first" {
  description = "An output of the nested template."
  value       = module.front.port_name
}

output "inside" {
  value = module.front.port_mac_address
}

output "dotted" {
  value = module.front.port_mac_address
}

output "a_list" {
  value = try(module.front.listed[1], null)
}

output "maybe" {
  value = one(module.back[*].port_name)
}

output "both" {
  value = "${module.front.port_name}/${module.front.stack}"
}
