# Made by hot2tf: hot2tf convert input.yaml -o DIR

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
