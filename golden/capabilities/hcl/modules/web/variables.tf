# Converted from web.yaml by hot2tf.

variable "network" {
  type = string
}
