# Made by hot2tf: hot2tf convert input.yaml -o DIR

locals {
  first = <<-EOT
    keeps its newline
  EOT

  last = "${local.first}end"
}
