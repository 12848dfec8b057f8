# Converted from random.yaml by hot2tf.

variable "length" {
  type    = number
  default = 8
}
