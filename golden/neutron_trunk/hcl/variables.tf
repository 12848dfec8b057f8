variable "tagged" {
  type    = string
  default = "tagged-port"
}

variable "second" {
  type    = bool
  default = false
}
