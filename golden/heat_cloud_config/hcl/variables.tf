# Converted from input.yaml by hot2tf.

variable "user" {
  type    = string
  default = "admin"
}
