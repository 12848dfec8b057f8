# Made by hot2tf from input.yaml

variable "flavor" {
  type    = string
  default = "m1.small"
}

variable "network" {
  type = string
}

variable "count_" {
  type    = number
  default = 1
}

variable "password" {
  type      = string
  sensitive = true
}

variable "servers" {
  type    = list(string)
  default = []
}
