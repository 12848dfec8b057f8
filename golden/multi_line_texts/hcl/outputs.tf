output "lines" {
  description = <<-EOT
    First.
    Second.
  EOT

  value = var.more.lines
}
