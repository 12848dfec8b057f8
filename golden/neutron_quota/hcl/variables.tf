# Made by hot2tf: hot2tf convert input.yaml -o DIR

variable "networks" {
  type    = number
  default = 10
}
