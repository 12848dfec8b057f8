# Made by hot2tf from input.yaml

variable "stack_name" {
  description = "Name of the stack; prefix of the names that Heat would generate."
  type        = string
}

variable "scope_name" {
  type    = string
  default = "shared-scope"
}

variable "project" {
  type    = string
  default = "0f0c5e2c8a2b4a6f9a7d2a1e5b3c4d6e"
}

variable "kind" {
  type    = string
  default = "network"

  validation {
    condition     = contains(["network", "qos_policy"], var.kind)
    error_message = "kind must be one of network, qos_policy."
  }
}
