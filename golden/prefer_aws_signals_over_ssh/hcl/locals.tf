# Converted from input.yaml by hot2tf.

locals {
  waits = var.Wait == "true"
}
