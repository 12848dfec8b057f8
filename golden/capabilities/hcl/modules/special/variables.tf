# Made by hot2tf from special.yaml

variable "network" {
  type = string
}
