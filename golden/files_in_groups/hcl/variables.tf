# Converted from input.yaml by hot2tf.

# HOT579: Terraform prints numbers without exponents and without a trailing .0.
variable "share" {
  type    = number
  default = 2
}
