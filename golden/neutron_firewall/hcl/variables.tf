# Made by hot2tf from input.yaml

variable "stack_name" {
  description = "Name of the stack; prefix of the names that Heat would generate."
  type        = string
}

variable "port" {
  type    = string
  default = "443"
}

variable "active" {
  type    = bool
  default = true
}

variable "second" {
  type    = bool
  default = false
}
