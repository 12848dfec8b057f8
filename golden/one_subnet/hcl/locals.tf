# Converted from input.yaml by hot2tf.

locals {
  hello = "hello"
}
