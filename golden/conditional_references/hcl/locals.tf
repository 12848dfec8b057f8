# Made by hot2tf from input.yaml

locals {
  own     = var.make_net == "yes"
  foreign = !local.own
}
