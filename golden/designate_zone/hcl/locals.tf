locals {
  mail             = var.with_mail
  uuid             = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"
  other_zone_is_id = can(regex(local.uuid, var.other_zone))
}
