# Made by hot2tf from member.yaml: hot2tf convert input.yaml --prefer native -o DIR

output "address" {
  value = openstack_compute_instance_v2.server.access_ip_v4
}
