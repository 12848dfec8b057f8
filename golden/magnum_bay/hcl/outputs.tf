# Made by hot2tf: hot2tf convert input.yaml -o DIR

output "bay" {
  value = openstack_containerinfra_cluster_v1.bay.id
}
