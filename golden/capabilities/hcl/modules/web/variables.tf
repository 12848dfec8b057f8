# Made by hot2tf from web.yaml

variable "network" {
  type = string
}
