variable "stack_name" {
  description = "Name of the stack; what Heat would name by itself is named after it."
  type        = string
}

variable "image" {
  type = string
}

variable "network" {
  type    = string
  default = "private"
}

variable "has_standby" {
  type    = bool
  default = true
}
