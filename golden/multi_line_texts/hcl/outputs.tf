# Converted from input.yaml by hot2tf.

output "lines" {
  description = <<-EOT
    First.
    Second.
  EOT

  value = var.more.lines
}
