# Made by hot2tf from input.yaml

locals {
  settings = {
    log = { level = var.level, file = "/var/log/app.log" }
  }
}
