variable "domain" {
  type    = string
  default = "example.org"
}
