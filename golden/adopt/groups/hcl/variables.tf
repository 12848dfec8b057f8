# Converted from export.json by hot2tf.

variable "count_" {
  type    = number
  default = 3
}
