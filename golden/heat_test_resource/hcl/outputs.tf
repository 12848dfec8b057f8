# Made by hot2tf from input.yaml

output "plain" {
  value = terraform_data.plain.output
}

output "number" {
  value = terraform_data.number.output
}

output "other" {
  value = terraform_data.other.output
}
