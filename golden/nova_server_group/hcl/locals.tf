# Made by hot2tf from input.yaml

locals {
  is_apart = var.apart
}
