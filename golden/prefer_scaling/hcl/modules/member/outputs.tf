# Made by hot2tf from member.yaml

output "address" {
  value = openstack_compute_instance_v2.server.access_ip_v4
}
