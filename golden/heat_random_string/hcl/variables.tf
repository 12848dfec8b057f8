# Converted from input.yaml by hot2tf.

variable "length" {
  type    = number
  default = 16
}
