# Converted from step.yaml by hot2tf.

variable "wait_for" {
  description = "What the caller creates before anything here."
  type        = any
  default     = []
}

variable "name" {
  type = string
}

variable "size" {
  type    = number
  default = 1
}
