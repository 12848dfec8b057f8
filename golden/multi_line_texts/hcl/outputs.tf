output "lines" {
  description = <<-EOT
    First.
    Second.
  EOT

  value = try(var.more.lines, "")
}
