# Converted from input.yaml by hot2tf.

output "plain" {
  value = terraform_data.plain.output
}

output "number" {
  value = terraform_data.number.output
}

output "other" {
  value = terraform_data.other.output
}
