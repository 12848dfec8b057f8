locals {
  settings = {
    log = {
      level = var.level
      file  = "/var/log/app.log"
    }
  }
}
