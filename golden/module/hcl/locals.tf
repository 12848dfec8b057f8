# Made by hot2tf: hot2tf convert input.yaml -o DIR

locals {
  is_public = var.public
}
