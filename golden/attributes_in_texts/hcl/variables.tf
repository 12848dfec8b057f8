variable "stack_name" {
  description = "Name of the stack; what Heat would name by itself is named after it."
  type        = string
}

# HOT579: the text of true, 1.0 or a list may differ from Heat's.
variable "config" {
  type = any

  default = {
    tags = ["a", "b"]
    port = 80
  }
}
