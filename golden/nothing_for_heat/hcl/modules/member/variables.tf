# Made by hot2tf from member.yaml

variable "subnet" {
  type = string
}

variable "address" {
  type = string
}
