# Converted from input.yaml by hot2tf.

variable "greeting" {
  type    = string
  default = "It's \"$HOME\""
}

variable "port" {
  type    = number
  default = 80
}
