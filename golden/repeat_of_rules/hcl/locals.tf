# Made by hot2tf from input.yaml

locals {
  is_open = var.open
}
