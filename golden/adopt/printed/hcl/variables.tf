# Converted from template.json by hot2tf.

variable "password" {
  type      = string
  sensitive = true
}

variable "size" {
  type    = number
  default = 1
}
