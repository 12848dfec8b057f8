# Made by hot2tf from input.yaml

locals {
  url_text = strcontains(var.host, ":") ? "[${trim(var.host, "[]")}]" : var.host
}
