# Converted from input.yaml by hot2tf.

variable "level" {
  type    = number
  default = 3
}
