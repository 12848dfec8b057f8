# Made by hot2tf from input.yaml

locals {
  mail             = var.with_mail
  uuid_pattern     = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"
  other_zone_is_id = can(regex(local.uuid_pattern, var.other_zone))
}
