# Made by hot2tf from input.yaml

locals {
  is_it = var.count_ == "a"
}
