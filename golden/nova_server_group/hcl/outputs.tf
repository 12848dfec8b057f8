output "id" {
  value = openstack_compute_servergroup_v2.affine.id
}
