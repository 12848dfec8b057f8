# Made by hot2tf from part.yaml

variable "name" {
  type     = string
  default  = "none"
  nullable = false
}

variable "size" {
  type     = number
  default  = 1
  nullable = false
}

variable "shared" {
  type    = bool
  default = true
}

variable "zones" {
  type     = list(string)
  default  = ["z"]
  nullable = false
}

variable "labels" {
  type     = any
  default  = { tier = "web" }
  nullable = false
}
