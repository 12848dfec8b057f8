# Made by hot2tf from input.yaml

locals {
  spare = var.with_spare
}
