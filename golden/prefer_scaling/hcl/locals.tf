# Made by hot2tf: hot2tf convert input.yaml --prefer native -o DIR

locals {
  spare = var.with_spare
}
