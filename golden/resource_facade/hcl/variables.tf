# Made by hot2tf: hot2tf convert input.yaml -o DIR

variable "name" {
  type    = string
  default = "x"
}
