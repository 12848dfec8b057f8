# Made by hot2tf from input.yaml

variable "own" {
  type    = bool
  default = false
}
