# Made by hot2tf from input.yaml

variable "stack_name" {
  description = "Name of the stack; prefix of the names that Heat would generate."
  type        = string
}

variable "KeyName" {
  type = string
}

variable "InstanceType" {
  type    = string
  default = "m1.small"

  validation {
    condition     = contains(["m1.small", "m1.large"], var.InstanceType)
    error_message = "InstanceType must be one of m1.small, m1.large."
  }
}
