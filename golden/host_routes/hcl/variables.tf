# Made by hot2tf from input.yaml

variable "stack_name" {
  description = "Name of the stack; prefix of the names that Heat would generate."
  type        = string
}

variable "routes" {
  type = any

  default = [
    { destination = "10.8.0.0/16", nexthop = "10.0.0.8" },
  ]
}

variable "twice" {
  type    = bool
  default = true
}
