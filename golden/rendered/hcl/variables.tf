# Converted from input.j2.yaml by hot2tf.

variable "stack_name" {
  description = "Name of the stack; prefix of the names that Heat would generate."
  type        = string
}

variable "image" {
  type    = string
  default = "debian-12"
}
