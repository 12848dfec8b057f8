# Made by hot2tf from input.yaml

# Heat uses the only external network.
data "openstack_networking_network_v2" "external" {
  external = true
}

data "openstack_networking_port_v2" "shell" {
  count = local.open ? 1 : 0

  device_id = openstack_compute_instance_v2.shell.id
}

data "openstack_networking_port_v2" "server" {
  device_id = openstack_compute_instance_v2.server.id
}
