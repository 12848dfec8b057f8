# Converted from input.yaml by hot2tf.

variable "networks" {
  type    = number
  default = 10
}
