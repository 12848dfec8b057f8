# Converted from input.yaml by hot2tf.

variable "package" {
  type    = string
  default = "nginx"
}

variable "settings" {
  type = any

  default = {
    workers = 4
  }
}
