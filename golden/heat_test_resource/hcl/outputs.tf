# Made by hot2tf: hot2tf convert input.yaml -o DIR

output "plain" {
  value = terraform_data.plain.output
}

output "number" {
  value = terraform_data.number.output
}

output "other" {
  value = terraform_data.other.output
}
