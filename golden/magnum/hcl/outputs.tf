# Made by hot2tf from input.yaml

output "address" {
  value = openstack_containerinfra_cluster_v1.cluster.api_address
}

output "name" {
  value = openstack_containerinfra_cluster_v1.small.name
}

output "all" {
  value = [
    openstack_containerinfra_cluster_v1.cluster.cluster_template_id,
    openstack_containerinfra_cluster_v1.cluster.coe_version,
    openstack_containerinfra_cluster_v1.cluster.container_version,
    openstack_containerinfra_cluster_v1.cluster.create_timeout,
    openstack_containerinfra_cluster_v1.cluster.discovery_url,
    openstack_containerinfra_cluster_v1.cluster.keypair,
    openstack_containerinfra_cluster_v1.cluster.master_count,
    openstack_containerinfra_cluster_v1.cluster.node_count,
    openstack_containerinfra_cluster_v1.cluster.stack_id,
  ]
}

output "masters" {
  value = openstack_containerinfra_cluster_v1.cluster.master_addresses
}

output "first_node" {
  value = try(openstack_containerinfra_cluster_v1.cluster.node_addresses[0], null)
}
