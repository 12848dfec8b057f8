# Converted from input.yaml by hot2tf.

output "Url" {
  value = "http://${openstack_networking_floatingip_v2.address.address}/"
}

output "Said" {
  value = lookup(local.web, "Wait_Data", null)
}
