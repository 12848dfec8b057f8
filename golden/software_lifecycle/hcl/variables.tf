variable "stack_name" {
  description = "Name of the stack; what Heat would name by itself is named after it."
  type        = string
}

variable "release" {
  type    = string
  default = "1.4"
}
