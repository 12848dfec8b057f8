# Made by hot2tf from input.yaml

variable "host" {
  type    = string
  default = "web1 $${x}"
}

variable "port" {
  type    = number
  default = 8080
}

variable "tls" {
  type    = bool
  default = true
}

variable "tags" {
  type = any

  default = {
    a = [1, "é"]
  }
}

variable "pattern" {
  type    = string
  default = "-host-"
}
