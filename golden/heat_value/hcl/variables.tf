# Made by hot2tf from input.yaml

variable "switch" {
  type    = string
  default = "yes"
}
