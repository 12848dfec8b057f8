variable "user" {
  type    = string
  default = "admin"
}
