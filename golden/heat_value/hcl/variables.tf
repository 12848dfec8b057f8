# Made by hot2tf: hot2tf convert input.yaml -o DIR

variable "switch" {
  type    = string
  default = "yes"
}
