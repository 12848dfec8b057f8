# Converted from input.yaml by hot2tf.

output "either" {
  value = "a,b"
}
