# Made by hot2tf from node.yaml: hot2tf convert input.yaml -e env.yaml --tests -o DIR

variable "groups" {
  type = list(string)
}

variable "network" {
  type = string
}

variable "disk" {
  type = string
}
