# Made by hot2tf from input.yaml

variable "stack_name" {
  description = "Name of the stack; prefix of the names that Heat would generate."
  type        = string
}

variable "servers" {
  type = any

  default = [
    { name = "a", ip = "10.0.0.1", up = true },
    { name = "b", ip = "10.0.0.2", up = false },
  ]
}

variable "sizes" {
  type    = any
  default = [3, 1, 2]
}
