# Made by hot2tf from input.yaml

# What needs no Heat, although it looks as if it did.

resource "openstack_networking_router_v2" "router" {
  name = "site"
}

# The template returns the status of its network, too, which only Heat reads. Nothing uses it.
module "site" {
  source = "./modules/site"
  router = openstack_networking_router_v2.router.id

  depends_on = [openstack_networking_router_v2.router]
}

# Retired: Heat reads nothing of the member.
module "members" {
  source = "./modules/member"

  count = 2

  subnet  = module.site.subnet
  address = "10.0.0.${count.index}"
}

# OS::Heat::None: Heat makes nothing but this ID.
# The environment removes the disk, and with a condition.
resource "random_uuid" "disk" {}

# OS::Heat::None: Heat makes nothing but this ID.
resource "random_uuid" "monitor" {
  count = local.monitored ? 1 : 0
}

resource "openstack_networking_secgroup_v2" "web" {
  name = "web"
}

resource "openstack_networking_secgroup_rule_v2" "web_icmp_8" {
  security_group_id = openstack_networking_secgroup_v2.web.id
  direction         = "ingress"
  ethertype         = "IPv4"
  protocol          = "icmp"
  port_range_min    = 8
  # HOT522: The provider does not send the code 0: the rule is for all codes of ICMP type 8, which has no other.
  port_range_max = 0
}

# Names and IDs in one list, for a server
module "node" {
  source  = "./modules/node"
  groups  = ["default", openstack_networking_secgroup_v2.web.name]
  network = var.network
  disk    = random_uuid.disk.result
}

resource "openstack_compute_instance_v2" "server" {
  count = local.monitored ? 1 : 0

  name        = "web"
  image_name  = "cirros"
  flavor_name = "m1.small"

  network {
    name = var.network
  }

  network {
    uuid = module.site.net
  }
}

resource "openstack_networking_floatingip_v2" "address" {
  count = local.monitored ? 1 : 0

  pool    = var.public
  port_id = data.openstack_networking_port_v2.server_port[0].id
}
