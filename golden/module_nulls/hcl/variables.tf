variable "is_found" {
  type    = bool
  default = true
}

# HOT579: the text of true, 1.0 or a list may differ from Heat's.
variable "settings" {
  type = any

  default = {
    name  = "web"
    ports = [80, 443]
  }
}
