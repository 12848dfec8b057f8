# Made by hot2tf from input.yaml

locals {
  has_dns     = var.dns != ""
  has_metrics = var.metrics
}
