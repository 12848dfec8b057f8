# Converted from input.yaml by hot2tf.

variable "public_key" {
  type    = string
  default = "ssh-rsa AAAA"
}
