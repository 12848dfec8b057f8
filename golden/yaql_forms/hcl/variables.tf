# Made by hot2tf from input.yaml

variable "names" {
  type    = list(string)
  default = ["c", "a", "b", "a"]
}

variable "servers" {
  type = any

  default = [
    {
      name = "a"
      ip   = "10.0.0.1"
      up   = true
      size = "3"
      tags = [
        { k = "x" },
        { k = "y" },
      ]
    },
    {
      name = "b"
      ip   = "10.0.0.2"
      up   = false
      size = "4"
      tags = []
    },
  ]
}

variable "map" {
  type = any

  default = {
    z = 1
    y = [2, [3]]
  }
}

variable "n" {
  type    = number
  default = 4
}

variable "s" {
  type    = string
  default = "7"

  validation {
    condition     = contains(["7", "-12"], var.s)
    error_message = "s must be one of 7, -12."
  }
}

variable "flag" {
  type    = bool
  default = true
}

variable "number" {
  type    = number
  default = -1
}
