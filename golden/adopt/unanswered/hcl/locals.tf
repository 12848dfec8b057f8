# Converted from export.json by hot2tf.

locals {
  has_disk = var.disk
  is_gone  = var.gone
}
