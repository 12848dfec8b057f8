# Made by hot2tf: hot2tf convert input.yaml -e env.yaml -o DIR

locals {
  is_wanted = var.wanted
}
