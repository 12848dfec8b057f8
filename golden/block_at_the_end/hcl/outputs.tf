# Made by hot2tf from input.yaml

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
