# Made by hot2tf: hot2tf convert input.yaml --prefer native -o DIR

locals {
  # HOT572: Heat writes this list or map as JSON with spaces, jsonencode() without.
  text = "config = ${jsonencode(var.config)}"
}
