# Made by hot2tf from input.yaml

data "openstack_networking_port_v2" "server_port" {
  count = local.monitored ? 1 : 0

  device_id  = openstack_compute_instance_v2.server[0].id
  network_id = openstack_compute_instance_v2.server[0].network[0].uuid
}

data "openstack_networking_subnet_v2" "existing" {
  subnet_id = "8f1f0f0e-6a43-4d7c-9a54-6d7f2c1f8b11"
}

data "openstack_networking_router_v2" "gateway" {
  router_id = "5d2a8a1c-0f2e-4f4b-9b43-0b4c3e0a1d10"
}
