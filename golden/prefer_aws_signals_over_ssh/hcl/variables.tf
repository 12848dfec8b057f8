# Made by hot2tf from input.yaml

variable "ssh_user" {
  description = "User for SSH connections to servers. Scripts run with sudo."
  type        = string
}

variable "ssh_private_key_file" {
  description = "Path of the private key file of the SSH user."
  type        = string
}

variable "stack_name" {
  description = "Name of the stack; prefix of the names that Heat would generate."
  type        = string
}

variable "Wait" {
  type    = string
  default = "true"

  validation {
    condition     = contains(["true", "false"], var.Wait)
    error_message = "Wait must be one of true, false."
  }
}
