# Made by hot2tf from input.yaml

output "id" {
  value = openstack_compute_servergroup_v2.affine.id
}
