# Made by hot2tf from node.yaml

variable "wait_for" {
  description = "Resources that the caller creates before anything in this module."
  type        = any
  default     = []
}

variable "network" {
  type = string
}
