# Made by hot2tf from step.yaml

variable "name" {
  type = string
}

variable "size" {
  type    = number
  default = 1
}
