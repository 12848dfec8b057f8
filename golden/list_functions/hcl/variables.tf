# Converted from input.yaml by hot2tf.

variable "names" {
  type    = list(string)
  default = ["b", "a", "b"]
}

variable "more" {
  type    = any
  default = ["a", "c"]
}

variable "text" {
  type    = string
  default = "x/y/z"
}
