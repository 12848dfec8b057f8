# Made by hot2tf from input.yaml

variable "project" {
  type = string
}

variable "zone" {
  type    = string
  default = ""
}

variable "hosts" {
  type    = list(string)
  default = ["compute-1", "compute-2"]
}
