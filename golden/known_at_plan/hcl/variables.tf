# Converted from input.yaml by hot2tf.

variable "other_network" {
  type    = string
  default = ""
}
