variable "stack_name" {
  description = "Name of the stack; what Heat would name by itself is named after it."
  type        = string
}

variable "kind" {
  type    = string
  default = "MX"
}

variable "priority" {
  type    = number
  default = 10
}
