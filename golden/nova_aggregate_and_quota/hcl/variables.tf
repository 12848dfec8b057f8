# Converted from input.yaml by hot2tf.

variable "project" {
  type = string
}

variable "zone" {
  type    = string
  default = ""
}

variable "hosts" {
  type    = list(string)
  default = ["compute-1", "compute-2"]
}
