locals {
  own     = var.make_net == "yes"
  foreign = !local.own
}
