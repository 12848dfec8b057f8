# Made by hot2tf: hot2tf convert input.yaml -o DIR

output "Address" {
  description = "Where it is"
  value       = openstack_compute_instance_v2.server.access_ip_v4
}
