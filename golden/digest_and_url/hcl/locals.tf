locals {
  url_text = strcontains(var.host, ":") ? "[${trim(var.host, "[]")}]" : var.host
}
