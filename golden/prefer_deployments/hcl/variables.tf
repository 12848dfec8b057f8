# Made by hot2tf from input.yaml

variable "package" {
  type    = string
  default = "nginx"
}

variable "settings" {
  type    = any
  default = { workers = 4 }
}
