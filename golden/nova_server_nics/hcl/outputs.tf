# Made by hot2tf from input.yaml

output "address" {
  value = openstack_compute_instance_v2.with_port.access_ip_v4
}
