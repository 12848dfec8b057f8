# Made by hot2tf: hot2tf convert input.yaml -e values.env.yaml -o DIR

output "lines" {
  description = <<-EOT
    First.
    Second.
  EOT

  value = var.more.lines
}
