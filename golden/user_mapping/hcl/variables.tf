# Made by hot2tf from input.yaml

variable "password" {
  type      = string
  sensitive = true
}

variable "house" {
  type = string
}

variable "ranges" {
  type    = any
  default = []
}

variable "busy" {
  type    = bool
  default = true
}
