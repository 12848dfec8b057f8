# Made by hot2tf from input.yaml

variable "low" {
  type    = number
  default = 1
}

variable "high" {
  type    = number
  default = 65535
}

variable "family" {
  type    = string
  default = "IPv6"
}

variable "mac" {
  type    = string
  default = "FA:16:3E:00:00:0A"
}

variable "rules" {
  type = any

  default = [
    { protocol = "icmp", ethertype = "IPv6" },
    { protocol = "udp", port_range_min = 1, port_range_max = 65535 },
  ]
}
