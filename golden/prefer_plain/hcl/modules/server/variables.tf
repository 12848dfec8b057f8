# Made by hot2tf from server.yaml: hot2tf convert input.yaml --prefer native -o DIR

variable "wait_for" {
  description = "What the caller creates before anything here."
  type        = any
  default     = []
}

variable "name" {
  type = string
}

variable "network" {
  type = string
}

variable "user_data" {
  type = string
}
