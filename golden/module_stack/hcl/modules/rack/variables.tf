# Made by hot2tf from rack.yaml

variable "stack_name" {
  description = "Name of the stack; prefix of the names that Heat would generate."
  type        = string
}

variable "region" {
  description = "Region for these resources; null for the provider's default."
  type        = string
  default     = null
}

variable "zone" {
  type = string
}

variable "network" {
  type = string
}
