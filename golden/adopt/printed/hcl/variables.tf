# Made by hot2tf from the running stack printed: hot2tf adopt EXPORT -o DIR

variable "password" {
  type      = string
  sensitive = true
}

variable "size" {
  type    = number
  default = 1
}
