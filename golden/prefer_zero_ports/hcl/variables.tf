# Made by hot2tf from input.yaml

variable "low" {
  type    = number
  default = 0
}

variable "rules" {
  type = any

  default = [
    { protocol = "tcp", port_range_min = 0, port_range_max = 1023 },
    { protocol = "icmp", port_range_min = 8 },
  ]
}
