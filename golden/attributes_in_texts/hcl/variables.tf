# Made by hot2tf from input.yaml

variable "stack_name" {
  description = "Name of the stack; prefix of the names that Heat would generate."
  type        = string
}

# HOT579: the text of true, 1.0 or of a list may differ from Heat's.
variable "config" {
  type = object({
    tags = list(string)
    port = number
  })

  default = {
    tags = ["a", "b"]
    port = 80
  }
}
