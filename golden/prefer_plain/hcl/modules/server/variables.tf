# Made by hot2tf from server.yaml: hot2tf convert input.yaml --prefer native -o DIR

variable "name" {
  type = string
}

variable "network" {
  type = string
}

variable "user_data" {
  type = string
}
