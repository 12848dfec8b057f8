# Made by hot2tf: hot2tf convert input.yaml -o DIR

output "motd" {
  value = file("${path.module}/files/plain.txt")
}
