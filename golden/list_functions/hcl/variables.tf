# Made by hot2tf from input.yaml

variable "names" {
  type    = list(string)
  default = ["b", "a", "b"]
}

variable "more" {
  type    = any
  default = ["a", "c"]
}

variable "text" {
  type    = string
  default = "x/y/z"
}
