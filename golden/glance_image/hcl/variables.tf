# Made by hot2tf from input.yaml

variable "public" {
  type    = bool
  default = false
}
