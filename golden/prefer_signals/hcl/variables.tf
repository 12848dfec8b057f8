# Made by hot2tf: hot2tf convert input.yaml --prefer native -o DIR

variable "boot_timeout" {
  type    = number
  default = 900
}
