# Made by hot2tf from input.yaml

locals {
  # HOT572: Heat writes this list or map as JSON with spaces, jsonencode() without.
  text = "config = ${jsonencode(var.config)}"
}
