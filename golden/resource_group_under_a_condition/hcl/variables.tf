# Made by hot2tf from input.yaml

variable "use" {
  type    = bool
  default = true
}
