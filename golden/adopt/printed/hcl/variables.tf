# Made by hot2tf from the running stack printed

variable "password" {
  type      = string
  sensitive = true
}

variable "size" {
  type    = number
  default = 1
}
