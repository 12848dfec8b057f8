# Made by hot2tf: hot2tf convert input.yaml --prefer native -o DIR

variable "greeting" {
  type    = string
  default = "It's \"$HOME\""
}

variable "port" {
  type    = number
  default = 80
}
