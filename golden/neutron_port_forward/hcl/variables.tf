variable "stack_name" {
  description = "Name of the stack; what Heat would name by itself is named after it."
  type        = string
}

variable "address" {
  type = string
}

variable "external" {
  type    = number
  default = 8022
}
