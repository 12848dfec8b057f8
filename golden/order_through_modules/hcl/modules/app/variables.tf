# Made by hot2tf from app.yaml

variable "network" {
  type    = string
  default = "private"
}
