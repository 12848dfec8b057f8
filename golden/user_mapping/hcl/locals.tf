# Made by hot2tf from input.yaml

locals {
  busy = var.busy
}
