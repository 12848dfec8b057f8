# Made by hot2tf from site.yaml: hot2tf convert input.yaml -e env.yaml --tests -o DIR

variable "wait_for" {
  description = "What the caller creates before anything here."
  type        = any
  default     = []
}

variable "router" {
  type = string
}
