# Made by hot2tf from input.yaml

output "motd" {
  value = file("${path.module}/files/plain.txt")
}
