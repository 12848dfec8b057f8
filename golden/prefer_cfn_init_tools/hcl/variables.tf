# Made by hot2tf: hot2tf convert input.yaml --prefer native --option cfn_init=tools -o DIR

variable "stack_name" {
  description = "Name of the stack; prefix of the names that Heat would generate."
  type        = string
}

variable "message" {
  type    = string
  default = "hello"
}

variable "files" {
  type    = any
  default = {}
}
