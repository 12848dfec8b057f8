# Made by hot2tf from outer.yaml: hot2tf convert input.yaml -o DIR

variable "wait_for" {
  description = "What the caller creates before anything here."
  type        = any
  default     = []
}
