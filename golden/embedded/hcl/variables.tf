# Made by hot2tf from input.yaml

variable "stack_name" {
  description = "Name of the stack; prefix of the names that Heat would generate."
  type        = string
}

variable "size" {
  type    = number
  default = 5
}

variable "names" {
  type    = list(string)
  default = ["a", "b"]
}

variable "data" {
  type = any

  default = {
    k = [1, 2]
  }
}

variable "truth" {
  type    = bool
  default = true
}

variable "password" {
  type      = string
  default   = "hush"
  sensitive = true
}
