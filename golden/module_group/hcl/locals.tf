# Converted from input.yaml by hot2tf.

locals {
  others_names = ["0", "2"]
}
