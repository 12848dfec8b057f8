# Converted from input.yaml by hot2tf.

output "address" {
  value = openstack_compute_instance_v2.with_port.access_ip_v4
}
