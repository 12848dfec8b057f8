# Made by hot2tf from member.yaml

variable "stack_name" {
  description = "Name of the stack; prefix of the names that Heat would generate."
  type        = string
}

variable "size" {
  type = string
}
