locals {
  hex_id        = "^[0-9a-f]{32}$"
  project_is_id = can(regex(local.hex_id, var.project))
}
