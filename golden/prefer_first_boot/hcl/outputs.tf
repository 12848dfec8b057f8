# Converted from input.yaml by hot2tf.

output "web" {
  value = openstack_compute_instance_v2.web.access_ip_v4
}
