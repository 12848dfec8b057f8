# Made by hot2tf from input.yaml

variable "stack_name" {
  description = "Name of the stack; prefix of the names that Heat would generate."
  type        = string
}

variable "auditor_role" {
  type    = string
  default = "reader"
}

variable "helpers" {
  type    = list(string)
  default = ["anna", "ben"]
}

variable "password" {
  type      = string
  sensitive = true
}

variable "with_admin" {
  type    = bool
  default = true
}

variable "home" {
  type = string
}
