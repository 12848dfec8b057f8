# Made by hot2tf from maybe.yaml: hot2tf convert input.yaml -o DIR

locals {
  found = var.is_found

  value = {
    text   = "web"
    number = 4
    list   = ["a"]
    map = {
      tier = "app"
    }
  }
}
