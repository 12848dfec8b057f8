# Made by hot2tf: hot2tf convert input.yaml -o DIR

variable "domain" {
  type    = string
  default = "example.org"
}
