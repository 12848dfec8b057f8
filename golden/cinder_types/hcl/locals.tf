locals {
  fast   = var.shared
  hex_id = "^[0-9a-f]{32}$"
}
