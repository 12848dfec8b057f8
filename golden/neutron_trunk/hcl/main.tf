# Made by hot2tf from input.yaml

resource "openstack_networking_network_v2" "net" {
  name = "n"
}

resource "openstack_networking_port_v2" "parent" {
  name       = "parent"
  network_id = openstack_networking_network_v2.net.id
}

resource "openstack_networking_port_v2" "child" {
  name       = "child"
  network_id = openstack_networking_network_v2.net.id
}

resource "openstack_networking_trunk_v2" "trunk" {
  name           = "t"
  description    = "all at once"
  port_id        = openstack_networking_port_v2.parent.id
  admin_state_up = false

  sub_port {
    port_id           = openstack_networking_port_v2.child.id
    segmentation_type = "vlan"
    segmentation_id   = 101
  }

  sub_port {
    port_id           = data.openstack_networking_port_v2.tagged.id
    segmentation_type = "vlan"
    segmentation_id   = 102
  }

  dynamic "sub_port" {
    for_each = local.second ? [1] : []

    content {
      port_id           = "2d0a1c7e-9a55-4b6a-8f1f-6f3f2b1c0d9e"
      segmentation_type = "vlan"
      segmentation_id   = 103
    }
  }
}

resource "openstack_networking_trunk_v2" "bare" {
  name           = "${var.stack_name}-bare"
  port_id        = data.openstack_networking_port_v2.other_parent.id
  admin_state_up = true
}

resource "openstack_compute_instance_v2" "server" {
  name        = "s"
  image_name  = "cirros"
  flavor_name = "m1.tiny"

  network {
    port = openstack_networking_trunk_v2.trunk.port_id
  }
}
