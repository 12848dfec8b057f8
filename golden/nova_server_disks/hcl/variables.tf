variable "image" {
  type    = string
  default = "ubuntu-22.04"
}

variable "size" {
  type    = number
  default = 20
}
