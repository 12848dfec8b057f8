locals {
  first = <<-EOT
    keeps its newline
  EOT

  last = "${local.first}end"
}
