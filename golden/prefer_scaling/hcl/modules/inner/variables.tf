# Made by hot2tf from inner.yaml

variable "group_size" {
  description = "Number of members of the scaling group group, between 1 and 2."
  type        = number
  default     = 1

  validation {
    condition     = var.group_size >= 1 && var.group_size <= 2
    error_message = "group_size must be between 1 and 2, as the group group says."
  }
}

variable "stack_name" {
  description = "Name of the stack; prefix of the names that Heat would generate."
  type        = string
}
