# Made by hot2tf from node.yaml

variable "stack_name" {
  description = "Name of the stack; prefix of the names that Heat would generate."
  type        = string
}

variable "name" {
  type = string
}

variable "number" {
  type = number
}

variable "tags" {
  type    = list(string)
  default = []
}

variable "labels" {
  type    = any
  default = {}
}
