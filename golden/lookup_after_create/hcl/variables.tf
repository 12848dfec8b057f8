# Made by hot2tf: hot2tf convert input.yaml -o DIR

variable "prefix" {
  type    = string
  default = "shop"
}

variable "outside" {
  type    = string
  default = "public"
}
