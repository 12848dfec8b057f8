# Converted from input.yaml by hot2tf.

variable "count_" {
  type    = number
  default = 3
}

variable "public" {
  type    = bool
  default = true
}
