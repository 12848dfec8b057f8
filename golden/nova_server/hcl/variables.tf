# Made by hot2tf: hot2tf convert input.yaml -o DIR

variable "key" {
  type = string
}

variable "network" {
  type    = string
  default = "private"
}
