# Made by hot2tf from input.yaml

locals {
  monitored = var.monitored
}
