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

variable "address" {
  description = "The ID of a floating IP that we have had for years."
  type        = string
}

variable "has_standby" {
  type    = bool
  default = true
}
