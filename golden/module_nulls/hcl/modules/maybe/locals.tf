# Converted from maybe.yaml by hot2tf.

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
