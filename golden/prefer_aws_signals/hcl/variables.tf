# Made by hot2tf from input.yaml

variable "stack_name" {
  description = "Name of the stack; prefix of the names that Heat would generate."
  type        = string
}

variable "Wait" {
  type    = string
  default = "true"

  validation {
    condition     = contains(["true", "false"], var.Wait)
    error_message = "Wait must be one of true, false."
  }
}
