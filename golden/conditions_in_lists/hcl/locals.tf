# Made by hot2tf: hot2tf convert input.yaml -o DIR

locals {
  has_dns     = var.dns != ""
  has_metrics = var.metrics
}
