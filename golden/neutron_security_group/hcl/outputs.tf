# Converted from input.yaml by hot2tf.

output "id" {
  value = openstack_networking_secgroup_v2.web.id
}
