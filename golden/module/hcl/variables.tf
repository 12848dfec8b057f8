# Made by hot2tf from input.yaml

variable "stack_name" {
  description = "Name of the stack; prefix of the names that Heat would generate."
  type        = string
}

variable "public" {
  type    = bool
  default = true
}

variable "zones" {
  type    = list(string)
  default = ["a", "b"]
}

variable "labels" {
  type    = any
  default = { tier = "web" }
}
