# Made by hot2tf: hot2tf convert input.yaml -e env.yaml --tests -o DIR

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
