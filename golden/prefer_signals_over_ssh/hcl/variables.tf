# Made by hot2tf from input.yaml

variable "ssh_user" {
  description = "User for SSH connections to servers. Scripts run with sudo."
  type        = string
}

variable "ssh_private_key_file" {
  description = "Path of the private key file of the SSH user."
  type        = string
}

variable "boot_timeout" {
  type    = number
  default = 900
}
