# Converted from config.yaml by hot2tf.

variable "text" {
  type = string
}
