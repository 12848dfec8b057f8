# Made by hot2tf from input.yaml

variable "stack_name" {
  description = "Name of the stack; prefix of the names that Heat would generate."
  type        = string
}

variable "stage" {
  type    = string
  default = "test"

  validation {
    condition     = contains(["test", "staging", "prod"], var.stage)
    error_message = "stage must be one of test, staging, prod."
  }
}

variable "replicas" {
  type    = number
  default = 1
}

variable "public" {
  type    = bool
  default = false
}
