# Made by hot2tf from input.yaml

locals {
  second = var.second
}
