# Made by hot2tf from input.yaml

locals {
  chained = var.chain
}
