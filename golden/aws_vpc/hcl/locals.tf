# Made by hot2tf from input.yaml

locals {
  open = var.WithGateway == "yes"
}
