# The network that servers are in.

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
