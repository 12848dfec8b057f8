# Converted from input.yaml by hot2tf.

variable "domain" {
  type    = string
  default = "example.org"
}
