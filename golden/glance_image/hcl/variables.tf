# Made by hot2tf: hot2tf convert input.yaml -o DIR

variable "public" {
  type    = bool
  default = false
}
