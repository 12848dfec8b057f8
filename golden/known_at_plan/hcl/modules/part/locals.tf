# Made by hot2tf from part.yaml: hot2tf convert input.yaml -o DIR

locals {
  has_other = var.other_given
}
