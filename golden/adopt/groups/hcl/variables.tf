# Made by hot2tf from the running stack groups

variable "stack_name" {
  description = "Name of the stack; prefix of the names that Heat would generate."
  type        = string
}

variable "count_" {
  type    = number
  default = 3
}
