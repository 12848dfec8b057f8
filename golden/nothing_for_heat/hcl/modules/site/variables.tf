# Made by hot2tf from site.yaml: hot2tf convert input.yaml -e env.yaml --tests -o DIR

variable "router" {
  type = string
}
