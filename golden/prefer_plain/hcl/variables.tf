# Made by hot2tf from input.yaml

variable "image" {
  type = string
}

variable "network" {
  description = "Name or ID of the network for management"
  type        = string
}

variable "subnet_id" {
  type = string
}

variable "config" {
  type    = any
  default = { debug = true }
}
