# Made by hot2tf from worker.yaml: hot2tf adopt EXPORT -o DIR

variable "stack_name" {
  description = "Name of the stack; prefix of the names that Heat would generate."
  type        = string
}

variable "disk" {
  type = string
}
