# Made by hot2tf from outer.yaml

variable "wait_for" {
  description = "What the caller creates before anything here."
  type        = any
  default     = []
}
