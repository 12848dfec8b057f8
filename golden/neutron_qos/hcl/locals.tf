# Made by hot2tf from input.yaml

locals {
  limited           = var.limited
  uuid_pattern      = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"
  policy_name_is_id = can(regex(local.uuid_pattern, var.policy_name))
}
