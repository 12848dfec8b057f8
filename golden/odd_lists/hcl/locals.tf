# Made by hot2tf: hot2tf convert input.yaml -o DIR

locals {
  is_big = var.big

  mixed = [
    "x",
    null,
    {
      k = "v"
    },
    7,
  ]

  texts = [
    "x",
    null,
    {
      k = "v"
    },
  ]

  replaced_or_not_size = local.is_big ? "big" : "SIZE"
}
