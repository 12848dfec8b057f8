# Made by hot2tf: hot2tf convert input.yaml --prefer native -o DIR

locals {
  waits = var.Wait == "true"
}
