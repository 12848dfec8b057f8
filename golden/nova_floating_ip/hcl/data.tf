# Made by hot2tf: hot2tf convert input.yaml -o DIR

data "openstack_networking_port_v2" "server" {
  device_id = openstack_compute_instance_v2.server.id
}
