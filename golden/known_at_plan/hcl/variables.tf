# Made by hot2tf from input.yaml

variable "other_network" {
  type    = string
  default = ""
}
