# Made by hot2tf from input.yaml

# Above everything.
# the newest here

# Above a resource,
# on two lines.
resource "openstack_networking_port_v2" "port" {
  name = "${var.stack_name}-port"
  # above a property
  # beside a property
  network_id = data.openstack_networking_network_v2.network.id
  # above an item
  # beside an item
  tags = ["one", "two"]

  # admin_state_up: false
  # below all properties
}

resource "openstack_compute_instance_v2" "server" {
  name       = "s"
  image_name = "cirros"
  # inside a flow map
  flavor_name = "m1.tiny"

  network {
    port = openstack_networking_port_v2.port.id
  }
}
