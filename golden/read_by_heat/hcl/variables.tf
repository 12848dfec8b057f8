# Made by hot2tf from input.yaml

variable "stack_name" {
  description = "Name of the stack; prefix of the names that Heat would generate."
  type        = string
}

variable "image" {
  type = string
}

variable "network" {
  type    = string
  default = "private"
}

variable "address" {
  description = "The ID of a floating IP that we have had for years."
  type        = string
}

variable "has_standby" {
  type    = bool
  default = true
}
