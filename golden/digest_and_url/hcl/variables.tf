# Made by hot2tf: hot2tf convert input.yaml -o DIR

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
