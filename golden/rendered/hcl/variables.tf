# Made by hot2tf from input.j2.yaml

variable "stack_name" {
  description = "Name of the stack; prefix of the names that Heat would generate."
  type        = string
}

variable "image" {
  type    = string
  default = "debian-12"
}
