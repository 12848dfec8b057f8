# Converted from config.yaml by hot2tf.

terraform {
  required_version = ">= 1.5"
}
