# Made by hot2tf from input.yaml

variable "stack_name" {
  description = "Name of the stack; prefix of the names that Heat would generate."
  type        = string
}

variable "projects" {
  type    = list(string)
  default = ["lab", "5d2a8a1c0f2e4f4b9b430b4c3e0a1d10"]
}

variable "shared" {
  type    = bool
  default = false
}
