# Made by hot2tf from the running stack web

variable "stack_name" {
  description = "Name of the stack; prefix of the names that Heat would generate."
  type        = string
}

variable "key" {
  type = string
}

variable "password" {
  type      = string
  sensitive = true
}

variable "disk" {
  type    = bool
  default = false
}

variable "gone" {
  type    = bool
  default = false
}

variable "public" {
  type    = string
  default = "public"
}
