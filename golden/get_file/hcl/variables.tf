# Made by hot2tf from input.yaml

variable "domain" {
  type    = string
  default = "example.org"
}
