# Made by hot2tf: hot2tf convert input.yaml -e prod.env.yaml --tests -o DIR

locals {
  is_public = var.public
}
