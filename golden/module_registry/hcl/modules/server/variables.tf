# Made by hot2tf from server.yaml

variable "name" {
  type = string
}

variable "password" {
  type = string
}

variable "flavor" {
  type = string
}

variable "image" {
  type    = string
  default = "debian"
}
