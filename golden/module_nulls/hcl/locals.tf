# Made by hot2tf from input.yaml

locals {
  found = var.is_found
}
