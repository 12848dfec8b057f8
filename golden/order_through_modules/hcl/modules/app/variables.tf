# Converted from app.yaml by hot2tf.

variable "wait_for" {
  description = "What the caller creates before anything here."
  type        = any
  default     = []
}

variable "network" {
  type    = string
  default = "private"
}
