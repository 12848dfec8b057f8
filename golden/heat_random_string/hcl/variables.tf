# Made by hot2tf from input.yaml

variable "length" {
  type    = number
  default = 16
}
