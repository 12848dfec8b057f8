# Made by hot2tf from input.yaml

variable "stack_name" {
  description = "Name of the stack; prefix of the names that Heat would generate."
  type        = string
}

variable "subnet" {
  type = string
}

variable "check" {
  type    = string
  default = "HTTP"
}

variable "server" {
  type    = string
  default = "10.0.0.11"
}
