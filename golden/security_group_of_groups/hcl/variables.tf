# Converted from input.yaml by hot2tf.

variable "peers" {
  type    = list(string)
  default = ["web", "db"]
}
