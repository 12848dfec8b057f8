# Made by hot2tf from input.yaml

locals {
  has_group     = var.group != ""
  uuid_pattern  = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"
  network_is_id = can(regex(local.uuid_pattern, var.network))
  group_is_id   = can(regex(local.uuid_pattern, var.group))
}
