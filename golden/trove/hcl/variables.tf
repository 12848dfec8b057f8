# Made by hot2tf from input.yaml

variable "stack_name" {
  description = "Name of the stack; prefix of the names that Heat would generate."
  type        = string
}

variable "flavor" {
  type    = string
  default = "m1.db"
}

variable "network" {
  type = string
}

variable "password" {
  type      = string
  default   = "s3cret1"
  sensitive = true
}

variable "databases" {
  type = any

  default = [
    { name = "one" },
    { name = "two", character_set = "latin1" },
  ]
}
