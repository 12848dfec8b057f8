# Made by hot2tf: hot2tf convert input.yaml --roll-up -o DIR

variable "admin" {
  type    = string
  default = "192.0.2.0/24"
}

variable "strict" {
  type    = bool
  default = false
}
