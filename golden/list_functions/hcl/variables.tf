# Made by hot2tf: hot2tf convert input.yaml -o DIR

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
