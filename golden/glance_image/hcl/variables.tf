# Converted from input.yaml by hot2tf.

variable "public" {
  type    = bool
  default = false
}
