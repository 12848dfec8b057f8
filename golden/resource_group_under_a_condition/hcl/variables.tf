# Converted from input.yaml by hot2tf.

variable "use" {
  type    = bool
  default = true
}
