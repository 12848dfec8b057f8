variable "stack_name" {
  description = "Name of the stack; what Heat would name by itself is named after it."
  type        = string
}

variable "admin" {
  type    = string
  default = "198.51.100.0/24"
}

variable "open_ports" {
  type = any

  default = [
    {
      protocol       = "tcp"
      port_range_min = 80
      port_range_max = 80
    },
  ]
}
