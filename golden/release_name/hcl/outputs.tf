# Made by hot2tf from input.yaml

output "either" {
  value = "a,b"
}
