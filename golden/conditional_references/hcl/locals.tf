# Made by hot2tf: hot2tf convert input.yaml -o DIR

locals {
  own     = var.make_net == "yes"
  foreign = !local.own
}
