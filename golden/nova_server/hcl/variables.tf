# Converted from input.yaml by hot2tf.

variable "key" {
  type = string
}

variable "network" {
  type    = string
  default = "private"
}
