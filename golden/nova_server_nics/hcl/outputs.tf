# Made by hot2tf: hot2tf convert input.yaml -o DIR

output "address" {
  value = openstack_compute_instance_v2.with_port.access_ip_v4
}
