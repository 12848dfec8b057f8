# Made by hot2tf from server.yaml

variable "name" {
  type = string
}

variable "network" {
  type = string
}

variable "user_data" {
  type = string
}
