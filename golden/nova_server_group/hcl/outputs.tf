# Converted from input.yaml by hot2tf.

output "id" {
  value = openstack_compute_servergroup_v2.affine.id
}
