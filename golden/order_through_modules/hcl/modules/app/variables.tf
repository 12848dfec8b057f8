# Made by hot2tf from app.yaml: hot2tf convert input.yaml -o DIR

variable "network" {
  type    = string
  default = "private"
}
