# Made by hot2tf from input.yaml

variable "stack_name" {
  description = "Name of the stack; prefix of the names that Heat would generate."
  type        = string
}

variable "public" {
  type    = bool
  default = false
}

variable "size" {
  type    = number
  default = 2

  validation {
    condition     = var.size >= 0 && var.size <= 4
    error_message = "size must be between 0 and 4."
  }
}

variable "flavor" {
  type    = string
  default = "m1.small"

  validation {
    condition     = contains(["m1.small", "m1.large"], var.flavor)
    error_message = "flavor must be one of m1.small, m1.large."
  }
}

variable "password" {
  type      = string
  sensitive = true
}

variable "label" {
  type = string
}
