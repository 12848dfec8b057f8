# Made by hot2tf from input.yaml

variable "stack_name" {
  description = "Name of the stack; prefix of the names that Heat would generate."
  type        = string
}

variable "is_found" {
  type    = bool
  default = true
}

# HOT579: the text of true, 1.0 or of a list may differ from Heat's.
variable "settings" {
  type = object({
    name  = string
    ports = any
    label = optional(any, "")
  })

  default = {
    name  = "web"
    ports = [80, 443]
  }
}
