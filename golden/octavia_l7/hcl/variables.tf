variable "stack_name" {
  description = "Name of the stack; what Heat would name by itself is named after it."
  type        = string
}

variable "subnet" {
  type = string
}

variable "listener" {
  type    = string
  default = "public-http"
}

variable "maintenance" {
  type    = bool
  default = false
}
