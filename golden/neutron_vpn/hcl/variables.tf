# Made by hot2tf from input.yaml

variable "stack_name" {
  description = "Name of the stack; prefix of the names that Heat would generate."
  type        = string
}

variable "secret" {
  type      = string
  sensitive = true
}

variable "peers" {
  type    = list(string)
  default = ["10.20.0.0/24", "10.21.0.0/24"]
}
