# Made by hot2tf from input.yaml

# The network
# Where servers are plugged in.
# It exists already.

variable "network" {
  description = "Name or ID"
  type        = string
}

# What servers look like.

variable "flavor" {
  description = "Flavor"
  type        = string
  default     = "m1.small"
}

# Something else
variable "other" {
  description = "Stands in no group"
  type        = string
  default     = "x"
}
