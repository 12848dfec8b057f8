# Made by hot2tf from input.yaml

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
