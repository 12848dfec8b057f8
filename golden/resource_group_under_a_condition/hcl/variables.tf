# Made by hot2tf: hot2tf convert input.yaml -o DIR

variable "use" {
  type    = bool
  default = true
}
