# Made by hot2tf from input.yaml

output "Url" {
  value = "http://${openstack_networking_floatingip_v2.address.address}/"
}

output "Said" {
  value = lookup(local.web, "Wait_Data", null)
}
