variable "stack_name" {
  description = "Name of the stack; what Heat would name by itself is named after it."
  type        = string
}

variable "pause" {
  type    = number
  default = 5
}

variable "spread" {
  type    = number
  default = 10
}
