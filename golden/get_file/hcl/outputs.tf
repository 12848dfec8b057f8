# Converted from input.yaml by hot2tf.

output "motd" {
  value = file("${path.module}/files/plain.txt")
}
