variable "name" {
  type = string
}

variable "number" {
  type = number
}

variable "tags" {
  type    = list(string)
  default = []
}
