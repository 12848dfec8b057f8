# Made by hot2tf from input.yaml

locals {
  first = <<-EOT
    keeps its newline
  EOT

  last = "${local.first}end"
}
