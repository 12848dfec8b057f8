# Made by hot2tf: hot2tf convert input.yaml -o DIR

variable "count_" {
  type    = number
  default = 2
}

variable "which" {
  type    = number
  default = -1
}
