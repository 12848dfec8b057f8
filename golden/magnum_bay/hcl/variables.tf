# Made by hot2tf from input.yaml

variable "network" {
  type = string
}
