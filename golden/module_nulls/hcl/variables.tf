variable "stack_name" {
  description = "Name of the stack; what Heat would name by itself is named after it."
  type        = string
}

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
