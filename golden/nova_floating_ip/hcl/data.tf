# Converted from input.yaml by hot2tf.

data "openstack_networking_port_v2" "server" {
  device_id = openstack_compute_instance_v2.server.id
}
