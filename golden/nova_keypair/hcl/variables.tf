variable "public_key" {
  type    = string
  default = "ssh-rsa AAAA"
}
