variable "stack_name" {
  description = "Name of the stack; what Heat would name by itself is named after it."
  type        = string
}

variable "data" {
  type    = any
  default = [3, 1, 2]
}

variable "words" {
  type = any

  default = [
    {
      a = 1
    },
    {
      a = 2
    },
  ]
}
