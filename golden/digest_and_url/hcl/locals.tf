# Made by hot2tf: hot2tf convert input.yaml -o DIR

locals {
  url_text = strcontains(var.host, ":") ? "[${trim(var.host, "[]")}]" : var.host
}
