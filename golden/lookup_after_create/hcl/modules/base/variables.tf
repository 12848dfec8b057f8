# Made by hot2tf from base.yaml

variable "prefix" {
  type = string
}
