# Made by hot2tf from node.yaml

variable "wait_for" {
  description = "What the caller creates before anything here."
  type        = any
  default     = []
}

variable "network" {
  type = string
}
