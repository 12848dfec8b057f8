# Made by hot2tf from input.yaml

variable "count_" {
  type    = number
  default = 2
}

variable "which" {
  type    = number
  default = -1
}
