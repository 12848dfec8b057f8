# Made by hot2tf from input.yaml

variable "packages" {
  type    = list(string)
  default = ["nginx", "curl"]
}

variable "message" {
  type    = string
  default = "It's ready"
}
