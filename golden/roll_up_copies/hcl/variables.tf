# Made by hot2tf: hot2tf convert input.yaml --roll-up --tests -o DIR

variable "image" {
  type    = string
  default = "ubuntu-24.04"
}

variable "public" {
  type    = string
  default = "public"
}
