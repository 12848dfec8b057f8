# Converted from input.yaml by hot2tf.

variable "name" {
  type    = string
  default = "a\\b"
}
