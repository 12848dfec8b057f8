variable "stack_name" {
  description = "Name of the stack; what Heat would name by itself is named after it."
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
    {
      access_type = "user"
      access_to   = "alice"
    },
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
