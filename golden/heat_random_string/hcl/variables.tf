# Made by hot2tf: hot2tf convert input.yaml -o DIR

variable "length" {
  type    = number
  default = 16
}
