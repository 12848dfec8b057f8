# Made by hot2tf from input.yaml

variable "count_" {
  type    = number
  default = 3
}

variable "public" {
  type    = bool
  default = true
}
