# Made by hot2tf from input.yaml

locals {
  tight = var.admin == "198.51.100.0/24"
}
