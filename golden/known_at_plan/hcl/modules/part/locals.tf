# Made by hot2tf from part.yaml

locals {
  has_other = var.other_given
}
