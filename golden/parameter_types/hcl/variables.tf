# Made by hot2tf from input.yaml

variable "name" {
  description = "Name of the network"
  type        = string
}

variable "label" {
  type    = string
  default = "tab\there $${not} %%{this}"
}

variable "mtu" {
  type    = number
  default = 1450
}

variable "size" {
  type    = number
  default = 2.5
}

variable "shared" {
  type    = bool
  default = false
}

variable "tags" {
  type    = list(string)
  default = ["a", " b", "c"]
}

variable "extra" {
  type = any

  default = {
    level = 3
    list  = [1, "two"]
    null  = null
  }
}

variable "empty_list" {
  type    = list(string)
  default = []
}
