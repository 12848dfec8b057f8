# Made by hot2tf from input.yaml

variable "stack_name" {
  description = "Name of the stack; prefix of the names that Heat would generate."
  type        = string
}

variable "web_servers_size" {
  description = "Number of members of the scaling group WebServers, between 1 and 4."
  type        = number
  default     = 2

  validation {
    condition     = var.web_servers_size >= 1 && var.web_servers_size <= 4
    error_message = "web_servers_size must be between 1 and 4, as the group WebServers says."
  }
}

variable "KeyName" {
  type    = string
  default = "admin"
}

variable "Workers" {
  type    = string
  default = "2"
}

variable "Subnet" {
  type    = string
  default = "0d5b1d02-3c7a-4a3e-9b7a-1f6f6b5b8e01"
}
