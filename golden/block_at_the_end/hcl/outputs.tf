# Converted from input.yaml by hot2tf.

output "first" {
  value = local.last
}

output "second" {
  value = trimsuffix(<<-EOT
    Heat's client strips the template,
    and with it the newline here.
  EOT
  , "\n")
}
