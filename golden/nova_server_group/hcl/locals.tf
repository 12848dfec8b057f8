# Made by hot2tf: hot2tf convert input.yaml -o DIR

locals {
  is_apart = var.apart
}
