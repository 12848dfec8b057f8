# Made by hot2tf from input.yaml

variable "networks" {
  type    = list(string)
  default = ["10.0.0.0/8", "192.168.0.0/16"]
}

variable "open" {
  type    = bool
  default = false
}
