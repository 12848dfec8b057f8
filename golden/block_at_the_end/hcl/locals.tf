# Converted from input.yaml by hot2tf.

locals {
  first = <<-EOT
    keeps its newline
  EOT

  last = "${local.first}end"
}
