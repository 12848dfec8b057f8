# Made by hot2tf from member.yaml: hot2tf convert input.yaml --tests -o DIR

locals {
  is_spare = var.spare
}
