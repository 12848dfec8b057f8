output "motd" {
  value = file("${path.module}/files/plain.txt")
}
