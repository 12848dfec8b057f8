# Made by hot2tf from input.yaml

# What reads like a hand translation with --prefer native

resource "random_string" "suffix" {
  length  = 6
  upper   = false
  numeric = false
  special = false
}

module "base" {
  source = "./modules/base"
}

# it uses the network of base, and needs its router
module "web" {
  source  = "./modules/server"
  name    = "web-${random_string.suffix.result}"
  network = module.base.network

  user_data = trimsuffix(<<-EOT
    #!/bin/sh
    ${random_string.suffix.result}
    ${local.text}
  EOT
  , "\n")
}

module "worker" {
  source    = "./modules/server"
  name      = "worker"
  network   = module.base.network
  user_data = "#!/bin/sh"

  depends_on = [module.base]
}

resource "openstack_networking_port_v2" "port" {
  name       = "management"
  network_id = data.openstack_networking_network_v2.network.id

  fixed_ip {
    subnet_id = var.subnet_id
  }
}

resource "openstack_compute_instance_v2" "manager" {
  name        = "manager"
  image_name  = var.image
  flavor_name = "m1.small"

  network {
    port = openstack_networking_port_v2.port.id
  }
}
