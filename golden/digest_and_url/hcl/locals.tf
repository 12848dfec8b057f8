# Converted from input.yaml by hot2tf.

locals {
  url_text = strcontains(var.host, ":") ? "[${trim(var.host, "[]")}]" : var.host
}
