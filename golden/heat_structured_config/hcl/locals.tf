# Converted from input.yaml by hot2tf.

locals {
  settings = {
    log = {
      level = var.level
      file  = "/var/log/app.log"
    }
  }
}
