# Made by hot2tf from step.yaml: hot2tf convert input.yaml -e env.yaml -o DIR

variable "name" {
  type = string
}

variable "size" {
  type    = number
  default = 1
}
