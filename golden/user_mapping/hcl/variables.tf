# Made by hot2tf: hot2tf convert input.yaml -o DIR

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
