# Made by hot2tf from infra.yaml

output "net_name" {
  value = openstack_networking_network_v2.net.name

  depends_on = [openstack_compute_keypair_v2.key]
}

output "key" {
  value = "thekey"
}

output "group" {
  value = "thegroup"
}

output "groups" {
  value = ["default", openstack_networking_secgroup_v2.sg.id]
}

output "external" {
  value = var.external
}

output "sg_id" {
  value = openstack_networking_secgroup_v2.sg.id

  depends_on = [openstack_compute_keypair_v2.key, openstack_networking_network_v2.net]
}

output "key_id" {
  value = openstack_compute_keypair_v2.key.name
}

output "net_id" {
  value = openstack_networking_network_v2.net.id
}
