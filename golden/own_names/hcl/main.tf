# Made by hot2tf from input.yaml

# Names of what the stack makes itself, where Heat looks names up.

resource "openstack_networking_network_v2" "net" {
  name = "front"
}

resource "openstack_networking_subnet_v2" "subnet" {
  name       = "front-subnet"
  network_id = openstack_networking_network_v2.net.id
  cidr       = "10.0.0.0/24"
}

resource "openstack_compute_keypair_v2" "key" {
  name       = var.key_name
  public_key = "ssh-rsa AAAA"
}

resource "openstack_networking_port_v2" "port" {
  name       = "${var.stack_name}-port"
  network_id = openstack_networking_network_v2.net.id

  fixed_ip {
    subnet_id = openstack_networking_subnet_v2.subnet.id
  }
}

# the names of infra are those of its resources
module "infra" {
  source = "./modules/infra"
}

module "app" {
  source     = "./modules/app"
  network    = module.infra.net_name
  group      = module.infra.sg_id
  key        = module.infra.key_id
  network_id = module.infra.net_id
}

# the name, and the same name as a text
module "web" {
  source     = "./modules/app"
  network    = openstack_networking_network_v2.net.name
  group      = module.infra.sg_id
  key        = openstack_compute_keypair_v2.key.name
  network_id = openstack_networking_network_v2.net.id

  depends_on = [openstack_compute_keypair_v2.key]
}

resource "openstack_networking_port_v2" "outside" {
  name               = "${var.stack_name}-outside"
  network_id         = data.openstack_networking_network_v2.public.id
  security_group_ids = [data.openstack_networking_secgroup_v2.default.id, module.infra.sg_id]
}

module "many" {
  source = "./modules/member"

  count = 2

  # Heat reads the number without the newline
  index           = count.index
  network         = openstack_networking_network_v2.net.id
  front_subnet_id = openstack_networking_subnet_v2.subnet.id
}
