# Made by hot2tf from the running stack bare

variable "stack_name" {
  description = "Name of the stack; prefix of the names that Heat would generate."
  type        = string
}

variable "spares" {
  type    = number
  default = 0
}

variable "workers" {
  type    = number
  default = 0
}
