# Made by hot2tf from the running stack partly

variable "stack_name" {
  description = "Name of the stack; prefix of the names that Heat would generate."
  type        = string
}

variable "flavor" {
  type    = string
  default = "m1.small"
}
