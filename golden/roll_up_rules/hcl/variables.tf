# Made by hot2tf from input.yaml

variable "admin" {
  type    = string
  default = "192.0.2.0/24"
}

variable "strict" {
  type    = bool
  default = false
}
