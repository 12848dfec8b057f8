variable "key" {
  type = string
}

variable "network" {
  type    = string
  default = "private"
}
