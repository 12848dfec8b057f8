# Converted from node.yaml by hot2tf.

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
