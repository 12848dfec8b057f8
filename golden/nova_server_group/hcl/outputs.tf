# Made by hot2tf: hot2tf convert input.yaml -o DIR

output "id" {
  value = openstack_compute_servergroup_v2.affine.id
}
