# Made by hot2tf: hot2tf convert input.yaml -o DIR

variable "stack_name" {
  description = "Name of the stack; prefix of the names that Heat would generate."
  type        = string
}
