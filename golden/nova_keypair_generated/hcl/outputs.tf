# Made by hot2tf from input.yaml

output "private" {
  value     = openstack_compute_keypair_v2.made.private_key
  sensitive = true
}

output "public" {
  value = openstack_compute_keypair_v2.made.public_key
}

output "unsaved" {
  value = ""
}
