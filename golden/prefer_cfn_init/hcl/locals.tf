# Made by hot2tf from input.yaml

locals {
  has_spare = var.Spare == "yes"
}
