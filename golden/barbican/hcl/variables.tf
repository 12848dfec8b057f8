# Made by hot2tf from input.yaml

variable "stack_name" {
  description = "Name of the stack; prefix of the names that Heat would generate."
  type        = string
}

variable "password" {
  type      = string
  sensitive = true
}

variable "until" {
  type    = string
  default = "2040-12-31T00:00:00"
}

variable "other_key" {
  type = string
}

variable "chain" {
  type    = bool
  default = false
}
