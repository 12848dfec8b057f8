# Made by hot2tf from input.yaml

output "Name" {
  description = "its name"
  value       = openstack_networking_network_v2.net.name
}

output "Second" {
  value = try(["a", "b", "c"][var.Index < 0 ? length(["a", "b", "c"]) + var.Index : var.Index], "")
}
