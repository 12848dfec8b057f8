# Made by hot2tf from input.yaml

variable "networks" {
  type    = number
  default = 10
}
