# Made by hot2tf from input.yaml

variable "stack_name" {
  description = "Name of the stack; prefix of the names that Heat would generate."
  type        = string
}

variable "image" {
  type = string
}

variable "flavor" {
  type = string
}

variable "subnet" {
  type = string
}

variable "front" {
  type    = string
  default = "public"
}

variable "more" {
  type    = list(string)
  default = []
}
