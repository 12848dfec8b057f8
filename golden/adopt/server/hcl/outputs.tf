# Made by hot2tf from the running stack web

output "url" {
  value = "http://${openstack_networking_floatingip_v2.address.address}/"
}

output "stack" {
  value = "00000001-0000-4000-8000-000000000000"
}

# HOT718: Terraform does not have the API object of server; whole is null.
output "whole" {
  value = null
}
