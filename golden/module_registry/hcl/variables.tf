# Converted from input.yaml by hot2tf.

variable "password" {
  type      = string
  default   = "secret"
  sensitive = true
}
