# Made by hot2tf: hot2tf convert input.yaml -o DIR

locals {
  settings = {
    log = {
      level = var.level
      file  = "/var/log/app.log"
    }
  }
}
