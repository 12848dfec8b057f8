# Converted from server.yaml by hot2tf.

variable "name" {
  type = string
}

variable "password" {
  type = string
}

variable "flavor" {
  type = string
}

variable "image" {
  type    = string
  default = "debian"
}
