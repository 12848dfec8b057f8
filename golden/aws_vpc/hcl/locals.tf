locals {
  open = var.WithGateway == "yes"
}
