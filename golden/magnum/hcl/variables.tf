variable "stack_name" {
  description = "Name of the stack; what Heat would name by itself is named after it."
  type        = string
}

variable "network" {
  type = string
}

variable "image" {
  type    = string
  default = "fedora-coreos"
}

variable "minutes" {
  type    = number
  default = 90
}

variable "nodes" {
  type    = number
  default = 3
}
