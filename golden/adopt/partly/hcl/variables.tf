# Converted from export.json by hot2tf.

variable "stack_name" {
  description = "Name of the stack; prefix of the names that Heat would generate."
  type        = string
}

variable "flavor" {
  type    = string
  default = "m1.small"
}

variable "secret" {
  type      = string
  default   = "open"
  sensitive = true
}
