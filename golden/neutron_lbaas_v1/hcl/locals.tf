# Made by hot2tf from input.yaml

locals {
  uuid_pattern      = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"
  image_is_id       = can(regex(local.uuid_pattern, var.image))
  flavor_id_pattern = "^[0-9]+$|^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"
  flavor_is_id      = can(regex(local.flavor_id_pattern, var.flavor))
  subnet_is_id      = can(regex(local.uuid_pattern, var.subnet))
}
