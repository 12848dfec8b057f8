# Made by hot2tf from input.yaml

# What may not be there is read only where it is.

resource "openstack_networking_network_v2" "net" {
  count = local.has_own ? 1 : 0

  name = "own"
}

resource "openstack_compute_instance_v2" "server" {
  name        = "s"
  image_name  = "cirros"
  flavor_name = "m1.tiny"

  network {
    name = "private"
  }

  dynamic "network" {
    for_each = local.has_own ? [1] : []

    content {
      uuid = openstack_networking_network_v2.net[0].id
    }
  }

  metadata = merge(
    { always = 1 },
    { for key in local.has_own ? ["net"] : [] : key => openstack_networking_network_v2.net[0].id },
  )

  tags = concat(["a"], local.has_own ? [openstack_networking_network_v2.net[0].id] : [])
}
