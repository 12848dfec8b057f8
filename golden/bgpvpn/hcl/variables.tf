# Made by hot2tf from input.yaml

variable "stack_name" {
  description = "Name of the stack; prefix of the names that Heat would generate."
  type        = string
}

variable "as_number" {
  type    = number
  default = 64512
}

variable "edge_router" {
  description = "The name or ID of a router that exists"
  type        = string
}

variable "local_pref" {
  type    = number
  default = 100
}
