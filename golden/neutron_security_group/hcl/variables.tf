# Made by hot2tf from input.yaml

variable "stack_name" {
  description = "Name of the stack; prefix of the names that Heat would generate."
  type        = string
}

variable "admin" {
  type    = string
  default = "198.51.100.0/24"
}

variable "open_ports" {
  type = any

  default = [
    { protocol = "tcp", port_range_min = 80, port_range_max = 80 },
  ]
}
