# Converted from input.yaml by hot2tf.

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
