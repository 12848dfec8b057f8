# Made by hot2tf from input.yaml

variable "public_key" {
  type    = string
  default = "ssh-rsa AAAA"
}
