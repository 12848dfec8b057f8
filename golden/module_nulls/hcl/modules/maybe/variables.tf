# Converted from maybe.yaml by hot2tf.

variable "is_found" {
  type = bool
}
