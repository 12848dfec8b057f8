# Made by hot2tf from input.yaml

variable "password" {
  description = "Password of the admin"
  type        = string
  sensitive   = true
}

variable "token" {
  type      = string
  default   = "s3cr3t"
  sensitive = true
}

# HOT523: immutable in Heat, but Terraform allows changes.
variable "mode" {
  type    = string
  default = "open"
}
