# Made by hot2tf from input.yaml

# The network that servers are in.

variable "stack_name" {
  description = "Name of the stack; prefix of the names that Heat would generate."
  type        = string
}

# Above a parameter.
# at the end of a line
# above a constraint
variable "network" {
  type    = string
  default = "private"

  # inside a constraint
  validation {
    condition     = length(var.network) >= 1
    error_message = "network must have at least 1 character."
  }
}
