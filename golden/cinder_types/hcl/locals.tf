# Made by hot2tf from input.yaml

locals {
  fast           = var.shared
  hex_id_pattern = "^[0-9a-f]{32}$"
}
