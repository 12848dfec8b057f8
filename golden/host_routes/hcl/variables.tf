variable "routes" {
  type = any

  default = [
    {
      destination = "10.8.0.0/16"
      nexthop     = "10.0.0.8"
    },
  ]
}

variable "twice" {
  type    = bool
  default = true
}
