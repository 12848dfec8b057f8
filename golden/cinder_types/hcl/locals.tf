# Made by hot2tf: hot2tf convert input.yaml -o DIR

locals {
  fast           = var.shared
  hex_id_pattern = "^[0-9a-f]{32}$"
}
