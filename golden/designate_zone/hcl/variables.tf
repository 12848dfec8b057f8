# Made by hot2tf from input.yaml

variable "stack_name" {
  description = "Name of the stack; prefix of the names that Heat would generate."
  type        = string
}

variable "other_zone" {
  type = string
}

variable "address" {
  type    = string
  default = "192.0.2.10"
}

variable "with_mail" {
  type    = bool
  default = true
}
