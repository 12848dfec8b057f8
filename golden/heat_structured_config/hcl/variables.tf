# Made by hot2tf: hot2tf convert input.yaml -o DIR

variable "level" {
  type    = number
  default = 3
}
