# Converted from input.yaml by hot2tf.

variable "switch" {
  type    = string
  default = "yes"
}
