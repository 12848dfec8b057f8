# Made by hot2tf from input.yaml

variable "user" {
  type    = string
  default = "admin"
}
