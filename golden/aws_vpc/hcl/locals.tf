# Made by hot2tf: hot2tf convert input.yaml -o DIR

locals {
  open = var.WithGateway == "yes"
}
