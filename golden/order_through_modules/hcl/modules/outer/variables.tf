# Made by hot2tf from outer.yaml

variable "wait_for" {
  description = "Resources that the caller creates before anything in this module."
  type        = any
  default     = []
}
