# Made by hot2tf from input.yaml

variable "disks_size" {
  description = "Number of members of the scaling group disks, between 2 and 3."
  type        = number
  default     = 2

  validation {
    condition     = var.disks_size >= 2 && var.disks_size <= 3
    error_message = "disks_size must be between 2 and 3, as the group disks says."
  }
}

variable "stack_name" {
  description = "Name of the stack; prefix of the names that Heat would generate."
  type        = string
}

variable "between_size" {
  description = "Number of members of the scaling group between. If null, desired_capacity applies."
  type        = number
  default     = null
}

variable "desired" {
  type    = number
  default = 2

  validation {
    condition     = var.desired >= 1 && var.desired <= 5
    error_message = "desired must be between 1 and 5, as the group workers says."
  }
}

variable "least" {
  type    = number
  default = 1
}

variable "most" {
  type    = number
  default = 4
}

variable "sizes" {
  type    = object({ disks = number })
  default = { disks = 3 }
}

variable "with_spare" {
  type    = bool
  default = true
}
