# Made by hot2tf: hot2tf convert input.yaml -o DIR

output "first" {
  value = local.last
}

output "second" {
  value = chomp(<<-EOT
    Heat's client strips the template,
    and with it the newline here.
  EOT
  )
}
