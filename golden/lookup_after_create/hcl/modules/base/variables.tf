# Made by hot2tf from base.yaml: hot2tf convert input.yaml -o DIR

variable "prefix" {
  type = string
}
