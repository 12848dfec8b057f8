# Made by hot2tf from input.yaml

locals {
  wanted = var.with_others
}
