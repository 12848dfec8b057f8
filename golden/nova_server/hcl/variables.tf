# Made by hot2tf from input.yaml

variable "key" {
  type = string
}

variable "network" {
  type    = string
  default = "private"
}
