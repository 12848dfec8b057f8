# Converted from input.yaml by hot2tf.

variable "labels" {
  type = any

  default = {
    role  = "web"
    stage = "test"
  }
}

variable "more" {
  type = any

  default = {
    stage = "prod"
  }
}
