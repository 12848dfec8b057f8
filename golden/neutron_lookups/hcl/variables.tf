# Made by hot2tf from input.yaml

variable "stack_name" {
  description = "Name of the stack; prefix of the names that Heat would generate."
  type        = string
}

variable "network" {
  type = string
}

variable "subnet" {
  type    = string
  default = "5d2a8a1c-0f2e-4f4b-9b43-0b4c3e0a1d10"
}

variable "group" {
  type    = string
  default = ""
}

variable "named" {
  type    = string
  default = "office"
}
