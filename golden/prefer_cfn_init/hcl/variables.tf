# Made by hot2tf from input.yaml

variable "stack_name" {
  description = "Name of the stack; prefix of the names that Heat would generate."
  type        = string
}

variable "Database" {
  type    = string
  default = "wiki"

  validation {
    condition     = can(regex("^[a-z]+$", var.Database))
    error_message = "Database must match [a-z]+"
  }
}

variable "Password" {
  type      = string
  sensitive = true
}

variable "Mirror" {
  type    = string
  default = "https://mirror.example.org/wiki.tar.gz"
}

variable "Spare" {
  type    = string
  default = "no"

  validation {
    condition     = contains(["yes", "no"], var.Spare)
    error_message = "Spare must be one of yes, no."
  }
}
