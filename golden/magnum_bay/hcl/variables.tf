# Converted from input.yaml by hot2tf.

variable "network" {
  type = string
}
