# Made by hot2tf from input.yaml

output "near_name" {
  value = "${var.stack_name}-near"
}

output "near_network" {
  value = module.near.network
}

output "remote_outputs" {
  value = {
    network = module.remote.network
    subnet  = module.remote.subnet
    zones   = module.remote.zones
  }
}

output "remote_zone" {
  value = try(module.remote.zones[1], null)
}
