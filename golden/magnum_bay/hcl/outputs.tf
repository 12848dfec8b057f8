# Converted from input.yaml by hot2tf.

output "bay" {
  value = openstack_containerinfra_cluster_v1.bay.id
}
