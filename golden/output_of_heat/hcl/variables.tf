# Made by hot2tf from input.yaml

variable "stack_name" {
  description = "Name of the stack; prefix of the names that Heat would generate."
  type        = string
}

variable "data" {
  type    = any
  default = [3, 1, 2]
}

variable "words" {
  type = any

  default = [
    { a = 1 },
    { a = 2 },
  ]
}
