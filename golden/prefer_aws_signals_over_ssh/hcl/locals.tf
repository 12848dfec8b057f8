# Made by hot2tf from input.yaml

locals {
  waits = var.Wait == "true"
}
