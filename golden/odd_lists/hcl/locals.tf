# Made by hot2tf from input.yaml

locals {
  is_big = var.big

  mixed = [
    "x",
    null,
    { k = "v" },
    7,
  ]

  texts = [
    "x",
    null,
    { k = "v" },
  ]

  replaced_or_not_size = local.is_big ? "big" : "SIZE"
}
