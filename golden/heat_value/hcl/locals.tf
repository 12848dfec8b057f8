# Made by hot2tf from input.yaml

locals {
  is_on  = var.switch == "yes"
  text   = var.switch
  number = 42
  truth  = true
  list   = ["a", var.switch]

  map = {
    a = {
      b = [1, var.switch]
    }
  }

  plain = "x-${local.text}"
  maybe = local.is_on ? "there" : null
}
