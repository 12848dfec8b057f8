variable "dns" {
  type    = string
  default = ""
}

variable "metrics" {
  type    = bool
  default = false
}
