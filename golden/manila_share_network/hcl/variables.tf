# Made by hot2tf from input.yaml

variable "stack_name" {
  description = "Name of the stack; prefix of the names that Heat would generate."
  type        = string
}

variable "network" {
  type = string
}

variable "subnet" {
  type = string
}

variable "service" {
  type    = string
  default = "01234567-89ab-cdef-0123-456789abcdef"
}
