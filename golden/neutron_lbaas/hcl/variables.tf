variable "subnet" {
  type = string
}

variable "check" {
  type    = string
  default = "HTTP"
}

variable "server" {
  type    = string
  default = "10.0.0.11"
}
