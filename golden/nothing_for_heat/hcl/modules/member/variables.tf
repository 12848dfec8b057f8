# Made by hot2tf from member.yaml: hot2tf convert input.yaml -e env.yaml --tests -o DIR

variable "subnet" {
  type = string
}

variable "address" {
  type = string
}
