# Made by hot2tf: hot2tf convert input.yaml --prefer native -o DIR

variable "tag" {
  type    = string
  default = "1.27"
}

variable "packages" {
  type    = list(string)
  default = ["nginx", "curl"]
}

variable "message" {
  type    = string
  default = "It's ready"
}
