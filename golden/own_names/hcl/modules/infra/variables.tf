# Converted from infra.yaml by hot2tf.

variable "external" {
  type    = string
  default = "public"
}
