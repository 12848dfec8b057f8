# Made by hot2tf from the running stack outer

variable "stack_name" {
  description = "Name of the stack; prefix of the names that Heat would generate."
  type        = string
}
