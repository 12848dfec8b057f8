# Made by hot2tf from random.yaml

variable "length" {
  type    = number
  default = 8
}
