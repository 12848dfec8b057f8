# Made by hot2tf from input.yaml

variable "image" {
  type    = string
  default = "ubuntu-24.04"
}

variable "public" {
  type    = string
  default = "public"
}
