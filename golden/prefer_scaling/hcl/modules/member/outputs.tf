# Converted from member.yaml by hot2tf.

output "address" {
  value = openstack_compute_instance_v2.server.access_ip_v4
}
