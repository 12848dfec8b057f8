variable "stack_name" {
  description = "Name of the stack; what Heat would name by itself is named after it."
  type        = string
}

variable "names" {
  type    = list(string)
  default = ["a", "b"]
}

variable "index" {
  type    = number
  default = 0
}
