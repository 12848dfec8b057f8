# Made by hot2tf from input.yaml

locals {
  # the big ones
  sizes = {
    small = { flavor = "m1.small" }
    large = { flavor = "m1.large" }
  }

  prod = var.Key == "prod" || var.Size != "small"
}
