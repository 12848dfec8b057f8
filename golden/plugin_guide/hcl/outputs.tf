# Made by hot2tf from input.yaml

output "foo-attrib-1" {
  description = "The first attribute of the foo resource"
  value       = lookup(local.resource_1, "resource-1_Attr_1", null)
}

output "foo-attrib-2" {
  description = "The second attribute of the foo resource"
  value       = jsondecode(lookup(local.resource_1, "resource-1_Attr_2", "[null]"))[0]
}
