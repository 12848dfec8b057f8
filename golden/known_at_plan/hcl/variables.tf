# Made by hot2tf: hot2tf convert input.yaml -o DIR

variable "other_network" {
  type    = string
  default = ""
}
