# Made by hot2tf from input.yaml

variable "ssh_user" {
  description = "User for SSH connections to servers. Scripts run with sudo."
  type        = string
}

variable "ssh_private_key_file" {
  description = "Path of the private key file of the SSH user."
  type        = string
}

variable "metal_address" {
  description = "Address of metal, for SSH connections."
  type        = string
}

variable "greeting" {
  type      = string
  sensitive = true
}

variable "existing" {
  type = string
}
