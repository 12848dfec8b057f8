# Made by hot2tf from input.yaml

output "name" {
  value = openstack_compute_keypair_v2.imported.name
}

output "public" {
  value = openstack_compute_keypair_v2.imported.public_key
}
