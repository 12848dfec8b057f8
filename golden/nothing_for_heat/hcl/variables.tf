# Made by hot2tf from input.yaml

variable "network" {
  type    = string
  default = "private"
}

variable "public" {
  type    = string
  default = "public"
}

variable "monitored" {
  type    = bool
  default = true
}
