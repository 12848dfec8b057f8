# Made by hot2tf: hot2tf convert input.yaml -o DIR

variable "public_key" {
  type    = string
  default = "ssh-rsa AAAA"
}
