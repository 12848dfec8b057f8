variable "ssh_user" {
  description = "User that scripts are run by, with sudo."
  type        = string
}

variable "ssh_private_key_file" {
  description = "Private key of that user, a file."
  type        = string
}

variable "greeting" {
  type      = string
  sensitive = true
}
