# Made by hot2tf: hot2tf convert input.j2.yaml --render FILE -o DIR

variable "stack_name" {
  description = "Name of the stack; prefix of the names that Heat would generate."
  type        = string
}

variable "image" {
  type    = string
  default = "debian-12"
}
