# Made by hot2tf from input.yaml

output "base_name" {
  value = random_string.suffix.result
}
