# Converted from outer.yaml by hot2tf.

variable "wait_for" {
  description = "What the caller creates before anything here."
  type        = any
  default     = []
}
