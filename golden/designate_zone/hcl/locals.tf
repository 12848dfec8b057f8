# Made by hot2tf: hot2tf convert input.yaml -o DIR

locals {
  mail             = var.with_mail
  uuid_pattern     = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"
  other_zone_is_id = can(regex(local.uuid_pattern, var.other_zone))
}
