# Made by hot2tf from input.yaml

variable "stack_name" {
  description = "Name of the stack; prefix of the names that Heat would generate."
  type        = string
}

variable "code" {
  type    = number
  default = 0
}

variable "icmp_rules" {
  type = any

  default = [
    { protocol = "icmp", port_range_min = 0, port_range_max = 0 },
  ]
}
