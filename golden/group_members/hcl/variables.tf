# Converted from input.yaml by hot2tf.

variable "count_" {
  type    = number
  default = 2
}

variable "which" {
  type    = number
  default = -1
}
