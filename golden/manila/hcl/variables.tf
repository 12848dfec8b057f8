# Made by hot2tf from input.yaml

variable "stack_name" {
  description = "Name of the stack; prefix of the names that Heat would generate."
  type        = string
}

variable "subnet" {
  type = string
}

variable "kind" {
  type    = string
  default = "fast"

  validation {
    condition     = contains(["fast", "slow"], var.kind)
    error_message = "kind must be one of fast, slow."
  }
}

variable "any_kind" {
  type = string
}

variable "rules" {
  type = any

  default = [
    { access_type = "user", access_to = "alice" },
  ]
}

variable "from_snapshot" {
  type    = bool
  default = false
}

variable "snapshot" {
  type    = string
  default = "nightly"
}
