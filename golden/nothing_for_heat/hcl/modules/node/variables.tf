# Made by hot2tf from node.yaml

variable "groups" {
  type = list(string)
}

variable "network" {
  type = string
}

variable "disk" {
  type = string
}
