# Converted from input.yaml by hot2tf.

# nobody receives it
# HOT513: Terraform does not return what setup_server prints or writes; this is null.
output "printed" {
  value = null
}
