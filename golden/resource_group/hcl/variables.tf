# Made by hot2tf: hot2tf convert input.yaml -o DIR

variable "count_" {
  type    = number
  default = 3
}

variable "public" {
  type    = bool
  default = true
}
