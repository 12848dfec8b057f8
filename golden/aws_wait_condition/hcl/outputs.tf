# Made by hot2tf: hot2tf convert input.yaml -o DIR

output "Url" {
  value = "http://${openstack_networking_floatingip_v2.address.address}/"
}

output "Said" {
  value = lookup(local.web, "Wait_Data", null)
}
