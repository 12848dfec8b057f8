# Converted from input.yaml by hot2tf.

variable "for_all" {
  type    = bool
  default = false
}

variable "tenants" {
  type    = list(string)
  default = ["lab", "guests"]
}
