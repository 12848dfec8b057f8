# Made by hot2tf from app.yaml

variable "network" {
  type = string
}

variable "group" {
  type = string
}

variable "key" {
  type = string
}

variable "network_id" {
  description = "ID of the network that network names."
  type        = string
}
