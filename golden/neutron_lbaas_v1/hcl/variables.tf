variable "stack_name" {
  description = "Name of the stack; what Heat would name by itself is named after it."
  type        = string
}

variable "image" {
  type = string
}

variable "flavor" {
  type = string
}

variable "subnet" {
  type = string
}

variable "front" {
  type    = string
  default = "public"
}

variable "more" {
  type    = list(string)
  default = []
}
