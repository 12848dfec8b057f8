# Made by hot2tf from input.yaml

variable "stack_name" {
  description = "Name of the stack; prefix of the names that Heat would generate."
  type        = string
}

variable "router" {
  type = string
}

variable "routes_as_json" {
  type = any

  default = [
    { destination = "172.20.0.0/16", nexthop = "10.50.0.9" },
  ]
}

variable "down" {
  type    = bool
  default = true
}
