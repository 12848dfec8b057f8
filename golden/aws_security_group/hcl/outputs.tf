# Converted from input.yaml by hot2tf.

output "Group" {
  value = openstack_networking_secgroup_v2.front.id
}
