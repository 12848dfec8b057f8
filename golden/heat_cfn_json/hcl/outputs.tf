# Converted from input.yaml by hot2tf.

output "Address" {
  description = "Where it is"
  value       = openstack_compute_instance_v2.server.access_ip_v4
}
