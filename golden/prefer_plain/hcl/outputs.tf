# Made by hot2tf: hot2tf convert input.yaml --prefer native -o DIR

output "base_name" {
  value = random_string.suffix.result
}
