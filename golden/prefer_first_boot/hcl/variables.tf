# Made by hot2tf from input.yaml

variable "greeting" {
  type    = string
  default = "It's \"$HOME\""
}

variable "port" {
  type    = number
  default = 80
}
