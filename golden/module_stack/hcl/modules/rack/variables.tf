variable "stack_name" {
  description = "Name of the stack; what Heat would name by itself is named after it."
  type        = string
}

variable "region" {
  description = "Region to make this in; the provider's own if null."
  type        = string
  default     = null
}

variable "zone" {
  type = string
}

variable "network" {
  type = string
}
