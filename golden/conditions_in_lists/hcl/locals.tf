# Converted from input.yaml by hot2tf.

locals {
  has_dns     = var.dns != ""
  has_metrics = var.metrics
}
