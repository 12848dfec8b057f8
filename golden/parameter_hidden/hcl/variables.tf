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

# HOT523: immutable in Heat; Terraform does not refuse a change.
variable "mode" {
  type    = string
  default = "open"
}
