# Made by hot2tf from input.yaml

# HOT542: Heat always returns ap-southeast-1 here; so does the output.
output "Region" {
  value = "ap-southeast-1"
}

output "Name" {
  value = openstack_compute_instance_v2.server.name
}

output "Parts" {
  value = ["x", "y"]
}

output "Map" {
  value = { a = "1" }
}

output "Zones" {
  value = data.openstack_compute_availability_zones_v2.zones.names
}

output "Selected" {
  value = try(var.Data.k, "")
}

output "Any" {
  value = local.any ? "yes" : "no"
}

output "Both" {
  value = local.both ? "yes" : "no"
}
