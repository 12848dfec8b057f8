# Converted from input.yaml by hot2tf.

locals {
  # the big ones
  sizes = {
    small = {
      flavor = "m1.small"
    }
    large = {
      flavor = "m1.large"
    }
  }

  prod = var.Key == "prod" || var.Size != "small"
}
