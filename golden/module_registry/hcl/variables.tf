variable "password" {
  type      = string
  default   = "secret"
  sensitive = true
}
