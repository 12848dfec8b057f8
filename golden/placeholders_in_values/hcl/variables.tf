# Made by hot2tf from input.yaml

variable "pattern" {
  type    = string
  default = "node-%index%-of-%index%"
}

variable "tags" {
  type    = list(string)
  default = ["plain", "number-%index%"]
}

variable "line" {
  type    = string
  default = "host HOST on PORT"
}

variable "given" {
  type = string
}
