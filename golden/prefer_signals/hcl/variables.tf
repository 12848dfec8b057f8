# Converted from input.yaml by hot2tf.

variable "boot_timeout" {
  type    = number
  default = 900
}
