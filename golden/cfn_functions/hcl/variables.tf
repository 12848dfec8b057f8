# Made by hot2tf from input.yaml

variable "stack_name" {
  description = "Name of the stack; prefix of the names that Heat would generate."
  type        = string
}

variable "Stage" {
  type    = string
  default = "test"

  validation {
    condition     = contains(["test", "prod"], var.Stage)
    error_message = "Stage must be one of test, prod."
  }
}

variable "Names" {
  type    = list(string)
  default = ["a", "b", "c"]
}

variable "Size" {
  type    = number
  default = 3

  validation {
    condition     = var.Size >= 1 && var.Size <= 10
    error_message = "Size must be between 1 and 10."
  }
}

variable "Word" {
  type    = string
  default = "hello"

  validation {
    condition     = length(var.Word) >= 1 && length(var.Word) <= 9
    error_message = "Word must have 1 to 9 characters."
  }

  validation {
    condition     = can(regex("^[a-z]+$", var.Word))
    error_message = "Word must match [a-z]+"
  }
}

variable "Data" {
  type    = any
  default = { k = "v" }
}
