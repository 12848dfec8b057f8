variable "stack_name" {
  description = "Name of the stack; what Heat would name by itself is named after it."
  type        = string
}

variable "ceiling" {
  type    = number
  default = 10000
}

variable "policy_name" {
  type = string
}

variable "limited" {
  type    = bool
  default = true
}
