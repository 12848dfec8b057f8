# Made by hot2tf from input.yaml

variable "stack_name" {
  description = "Name of the stack; prefix of the names that Heat would generate."
  type        = string
}

variable "pause" {
  type    = number
  default = 5
}

variable "spread" {
  type    = number
  default = 10
}
