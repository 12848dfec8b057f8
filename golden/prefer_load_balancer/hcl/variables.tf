# Made by hot2tf from input.yaml

variable "stack_name" {
  description = "Name of the stack; prefix of the names that Heat would generate."
  type        = string
}

variable "front_subnet_id" {
  description = "Subnet (an ID) of the address of the load balancer front; the template has none."
  type        = string
  nullable    = false
}

variable "web_size" {
  description = "Number of members of the scaling group web, between 1 and 3."
  type        = number
  default     = 1

  validation {
    condition     = var.web_size >= 1 && var.web_size <= 3
    error_message = "web_size must be between 1 and 3, as the group web says."
  }
}

variable "inside_subnet_id" {
  description = "Subnet (an ID) of the address of the load balancer inside; the template has none."
  type        = string
  nullable    = false
}

variable "key_name" {
  type    = string
  default = "admin"
}
