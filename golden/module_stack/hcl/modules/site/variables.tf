# Made by hot2tf from site.yaml

variable "stack_name" {
  description = "Name of the stack; prefix of the names that Heat would generate."
  type        = string
}

variable "region" {
  description = "Region for these resources; null for the provider's default."
  type        = string
  default     = null
}

variable "cidr" {
  type = string
}

variable "zones" {
  type    = list(string)
  default = ["nova"]
}
