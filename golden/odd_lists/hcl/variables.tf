# Made by hot2tf from input.yaml

variable "names" {
  type    = list(string)
  default = ["a", "b"]
}

# HOT579: the text of true, 1.0 or of a list may differ from Heat's.
variable "settings" {
  type = any

  default = {
    list = ["x", "y"]
    word = "abc"
    true = "yes"
  }
}

variable "text" {
  type    = string
  default = "some text"
}

variable "big" {
  type    = bool
  default = false
}

variable "number" {
  type    = number
  default = 1
}
