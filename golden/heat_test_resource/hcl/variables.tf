variable "stack_name" {
  description = "Name of the stack; what Heat would name by itself is named after it."
  type        = string
}

variable "value" {
  type    = string
  default = "first"
}

variable "seconds" {
  type    = number
  default = 3
}
