# Made by hot2tf from maybe.yaml

locals {
  found = var.is_found

  value = {
    text   = "web"
    number = 4
    list   = ["a"]
    map    = { tier = "app" }
  }
}
