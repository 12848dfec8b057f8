# Converted from input.yaml by hot2tf.

terraform {
  required_version = ">= 1.5"
}
