# Made by hot2tf from input.yaml

# What exists already, read by data sources, or told by variables where the provider cannot read
# it.

resource "openstack_networking_port_v2" "port" {
  name       = "web"
  network_id = data.openstack_networking_network_v2.private.id
}

# the address of a floating IP that is known by its ID
resource "openstack_networking_floatingip_associate_v2" "by_id" {
  # HOT528: The provider finds no floating IP by its ID; the variable floating_ip_addresses must have the address of the floating IP address_id.
  floating_ip = var.floating_ip_addresses[var.address_id]
  port_id     = openstack_networking_port_v2.port.id
}

# likewise, one of two
resource "openstack_networking_floatingip_associate_v2" "by_condition" {
  # HOT528: The provider finds no floating IP by its ID; the variable floating_ip_addresses must have the address of this floating IP.
  floating_ip = (local.standby
    ? var.floating_ip_addresses[try(var.spare_ids[1], "")]
    : var.floating_ip_addresses[try(var.spare_ids[0], "")]
  )

  port_id = data.openstack_networking_port_v2.uplink.id
}

# the port of a server that exists
resource "openstack_networking_floatingip_associate_v2" "by_server" {
  floating_ip = data.openstack_networking_floatingip_v2.entrance.address
  # HOT530: Heat takes the first port of this server; the data source fails unless the server has just one.
  port_id = data.openstack_networking_port_v2.server_id.id
}

resource "openstack_compute_instance_v2" "web" {
  name        = "web"
  image_name  = "debian-12"
  flavor_name = "m1.small"

  # HOT528: The provider finds no floating IP by its ID; the variable floating_ip_addresses must have the address of the floating IP 0c2c36a8-1ad4-4d5b-8d5a-0c2d9a6d6a01.
  network {
    port = openstack_networking_port_v2.port.id
  }

  # the network and the IP version of the address find the subnet
  # HOT526: A data source finds the subnet of port by the network, for cidr; it fails if there are more.
  user_data = <<-EOT
    #!/bin/sh
    ip route add ${data.openstack_networking_subnet_v2.port_subnet.cidr} dev tun0
  EOT
}

resource "openstack_networking_floatingip_associate_v2" "web_0" {
  floating_ip = var.floating_ip_addresses["0c2c36a8-1ad4-4d5b-8d5a-0c2d9a6d6a01"]
  port_id     = openstack_networking_port_v2.port.id
}

# attributes that the provider reads of neither
resource "openstack_blockstorage_volume_v3" "copy" {
  name = "copy"
  # HOT529: The provider does not read accessIPv4 of web; the variable web_access_ipv4 can have it after the first apply, and is null until then.
  description = var.web_access_ipv4
  # HOT529: The provider does not read size of archive; the variable archive_size must have it.
  size = var.archive_size

  # Heat creates it first: the template refers to it in a part that is not written here.
  depends_on = [
    openstack_compute_instance_v2.web,
    openstack_networking_floatingip_associate_v2.web_0,
  ]
}

# the module gets the address with the ID
resource "openstack_networking_floatingip_v2" "made" {
  pool = "public"
}

module "own" {
  source             = "./modules/entry"
  network            = "private"
  address_id_address = openstack_networking_floatingip_v2.made.address
}

module "given" {
  source = "./modules/entry"
  # HOT528: The provider finds no floating IP by its ID; the variable floating_ip_addresses must have the address of the floating IP address_id.
  network            = "private"
  address_id_address = lookup(var.floating_ip_addresses, var.address_id, null)
}
