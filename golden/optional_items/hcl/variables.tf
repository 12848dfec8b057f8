# Made by hot2tf: hot2tf convert input.yaml -o DIR

variable "own" {
  type    = bool
  default = false
}
