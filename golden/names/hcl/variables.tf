# Made by hot2tf from input.yaml

variable "count_" {
  type    = string
  default = "a"
}

variable "for_each_" {
  type    = string
  default = "b"
}

variable "Größe" {
  type    = string
  default = "c"
}

variable "_1st" {
  type    = string
  default = "d"
}

variable "a_b_2" {
  type    = string
  default = "e"
}

variable "a_b" {
  type    = string
  default = "f"
}
