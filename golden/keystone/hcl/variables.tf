variable "stack_name" {
  description = "Name of the stack; what Heat would name by itself is named after it."
  type        = string
}

variable "auditor_role" {
  type    = string
  default = "reader"
}

variable "helpers" {
  type    = list(string)
  default = ["anna", "ben"]
}

variable "password" {
  type      = string
  sensitive = true
}

variable "with_admin" {
  type    = bool
  default = true
}

variable "home" {
  type = string
}
