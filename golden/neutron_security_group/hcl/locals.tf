# Made by hot2tf: hot2tf convert input.yaml -o DIR

locals {
  tight = var.admin == "198.51.100.0/24"
}
