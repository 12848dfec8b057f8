# Made by hot2tf from input.yaml

output "lines" {
  description = <<-EOT
    First.
    Second.
  EOT

  value = var.more.lines
}
