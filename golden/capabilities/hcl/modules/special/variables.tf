# Converted from special.yaml by hot2tf.

variable "network" {
  type = string
}
