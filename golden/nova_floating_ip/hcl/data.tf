# Made by hot2tf from input.yaml

data "openstack_networking_port_v2" "server" {
  device_id = openstack_compute_instance_v2.server.id
}
