output "Group" {
  value = openstack_networking_secgroup_v2.front.id
}
