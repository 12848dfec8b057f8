locals {
  has_dns     = var.dns != ""
  has_metrics = var.metrics
}
