# Made by hot2tf from input.yaml

variable "stack_name" {
  description = "Name of the stack; prefix of the names that Heat would generate."
  type        = string
}

# of the server
variable "Key" {
  type    = string
  default = "web"

  validation {
    condition     = length(var.Key) >= 1
    error_message = "lower case"
  }

  validation {
    condition     = can(regex("^[a-z]+$", var.Key))
    error_message = "lower case"
  }
}

variable "Size" {
  type    = string
  default = "small"

  validation {
    condition     = contains(["small", "large"], var.Size)
    error_message = "Size must be one of small, large."
  }
}

variable "Index" {
  type    = number
  default = 1
}
