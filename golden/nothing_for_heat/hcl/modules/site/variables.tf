# Made by hot2tf from site.yaml

variable "router" {
  type = string
}
