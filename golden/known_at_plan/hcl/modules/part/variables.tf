# Made by hot2tf from part.yaml

variable "network" {
  type = string
}

variable "other" {
  type    = string
  default = ""
}

variable "groups" {
  type = list(string)
}

variable "peers" {
  type = any
}

variable "other_given" {
  description = "Whether other is given."
  type        = bool
}
