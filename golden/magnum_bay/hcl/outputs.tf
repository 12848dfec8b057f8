# Made by hot2tf from input.yaml

output "bay" {
  value = openstack_containerinfra_cluster_v1.bay.id
}
