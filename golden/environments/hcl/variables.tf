# Made by hot2tf: hot2tf convert input.yaml -e base.env.yaml -e prod.env.yaml -o DIR

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
