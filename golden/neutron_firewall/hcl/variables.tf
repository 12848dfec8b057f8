variable "port" {
  type    = string
  default = "443"
}

variable "active" {
  type    = bool
  default = true
}

variable "second" {
  type    = bool
  default = false
}
