# Made by hot2tf from input.yaml

locals {
  has_own = var.own
}
