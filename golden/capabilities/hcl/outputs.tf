# Converted from input.yaml by hot2tf.

output "address" {
  value = module.web.address
}
