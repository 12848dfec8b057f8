# Converted from input.yaml by hot2tf.

output "forward" {
  value = openstack_networking_portforwarding_v2.ssh.id
}
