# Made by hot2tf from random.yaml: hot2tf convert input.yaml -e types.env.yaml -o DIR

variable "length" {
  type    = number
  default = 8
}
