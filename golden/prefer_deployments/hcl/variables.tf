# Made by hot2tf: hot2tf convert input.yaml --prefer native -o DIR

variable "package" {
  type    = string
  default = "nginx"
}

variable "settings" {
  type = any

  default = {
    workers = 4
  }
}
