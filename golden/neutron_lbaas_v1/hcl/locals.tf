locals {
  uuid         = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"
  image_is_id  = can(regex(local.uuid, var.image))
  flavor_id    = "^[0-9]+$|^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"
  flavor_is_id = can(regex(local.flavor_id, var.flavor))
  subnet_is_id = can(regex(local.uuid, var.subnet))
}
