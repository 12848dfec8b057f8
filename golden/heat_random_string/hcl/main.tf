# Made by hot2tf from input.yaml

resource "random_password" "plain" {
  length  = 32
  special = false
}

resource "random_password" "short" {
  length  = var.length
  special = false
  keepers = { salt = "a" }
}

resource "random_password" "digits" {
  length      = 6
  lower       = false
  upper       = false
  special     = false
  min_numeric = 6
}

resource "random_password" "mixed" {
  length           = 32
  upper            = false
  override_special = "_-!"
  min_lower        = 2
  min_numeric      = 1
  min_special      = 2
}

resource "random_password" "hex" {
  length           = 32
  lower            = false
  upper            = false
  numeric          = false
  override_special = "0123456789ABCDEF"
}

resource "openstack_compute_instance_v2" "server" {
  name        = "s"
  image_name  = "cirros"
  flavor_name = "m1.tiny"
  admin_pass  = random_password.plain.result
}
