# Made by hot2tf from input.yaml

# Three nodes with ports, addresses and disks, each written out.

resource "openstack_networking_network_v2" "net" {
  name = "nodes"
}

resource "openstack_networking_subnet_v2" "subnet" {
  name       = "nodes"
  network_id = openstack_networking_network_v2.net.id
  cidr       = "10.0.0.0/24"
}

# 0:
#  Ports: the address ends with 10 and the number of the node.
resource "openstack_networking_port_v2" "port" {
  count = 3

  name       = "port-${count.index}"
  network_id = openstack_networking_network_v2.net.id

  fixed_ip {
    subnet_id  = openstack_networking_subnet_v2.subnet.id
    ip_address = "10.0.0.${count.index + 10}"
  }
}

# it has no fixed address, so it is no copy
resource "openstack_networking_port_v2" "port_3" {
  name       = "port-3"
  network_id = openstack_networking_network_v2.net.id

  fixed_ip {
    subnet_id = openstack_networking_subnet_v2.subnet.id
  }
}

resource "openstack_compute_instance_v2" "server" {
  for_each = local.server_values

  name       = "node-${each.key}"
  image_name = var.image
  # 0:
  #  the first node does nothing else
  flavor_name = each.value

  network {
    port = openstack_networking_port_v2.port[tonumber(each.key)].id
  }

  # HOT562: Heat wraps this in parts for cfn-init; Terraform passes it unchanged.
  user_data = "number: ${each.key}"
}

resource "openstack_networking_floatingip_v2" "floating_ip" {
  count = 3

  pool    = var.public
  port_id = openstack_networking_port_v2.port[count.index].id
}

# One after the other, as the template wants it: the second waits for the first.
resource "openstack_blockstorage_volume_v3" "disk_1" {
  name = "disk-1"
  size = 10
}

resource "openstack_blockstorage_volume_v3" "disk_2" {
  name = "disk-2"
  size = 10

  depends_on = [openstack_blockstorage_volume_v3.disk_1]
}

resource "openstack_blockstorage_volume_v3" "disk_3" {
  name = "disk-3"
  size = 10

  depends_on = [openstack_blockstorage_volume_v3.disk_2]
}
