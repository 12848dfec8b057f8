# Made by hot2tf from server.yaml: hot2tf convert input.yaml -e types.env.yaml -o DIR

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
