# Made by hot2tf from input.yaml

variable "secret" {
  type    = string
  default = "abc"
}

variable "host" {
  type    = string
  default = "web.example.org"
}

variable "port" {
  type    = number
  default = 8443
}
