# Made by hot2tf from input.yaml

variable "level" {
  type    = number
  default = 3
}
