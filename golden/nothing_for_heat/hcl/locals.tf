# Made by hot2tf: hot2tf convert input.yaml -e env.yaml --tests -o DIR

locals {
  monitored = var.monitored
}
