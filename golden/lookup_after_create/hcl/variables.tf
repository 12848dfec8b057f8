# Made by hot2tf from input.yaml

variable "prefix" {
  type    = string
  default = "shop"
}

variable "outside" {
  type    = string
  default = "public"
}
