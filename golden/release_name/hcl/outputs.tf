# Made by hot2tf: hot2tf convert input.yaml -o DIR

output "either" {
  value = "a,b"
}
