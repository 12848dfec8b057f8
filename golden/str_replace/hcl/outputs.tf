# Made by hot2tf from input.yaml

output "url" {
  value = "http://${var.host}:${var.port}/?tls=${title(var.tls)}"
}

output "longest_first" {
  value = "AB ${var.host} A"
}

# HOT572: Heat writes this list or map as JSON with spaces, jsonencode() without.
output "json" {
  value = "tags=${jsonencode(var.tags)};"
}

output "strict" {
  value = "host=${var.host}"
}

# HOT573: Heat rejects empty values here at run time; Terraform does not.
output "very_strict" {
  value = "host=${var.host}"
}

output "template_at_run_time" {
  value = replace(var.pattern, "host", var.port)
}

output "not_searched_again" {
  value = "y x"
}
