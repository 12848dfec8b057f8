# Made by hot2tf from input.yaml

locals {
  hex_id_pattern = "^[0-9a-f]{32}$"
  project_is_id  = can(regex(local.hex_id_pattern, var.project))
}
