# Converted from input.yaml by hot2tf.

variable "own" {
  type    = bool
  default = false
}
