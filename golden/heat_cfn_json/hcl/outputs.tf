# Made by hot2tf from input.yaml

output "Address" {
  description = "Where it is"
  value       = openstack_compute_instance_v2.server.access_ip_v4
}
