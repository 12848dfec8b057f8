# Made by hot2tf from input.yaml

variable "name" {
  type    = string
  default = "web"
}
