# Made by hot2tf from input.yaml

variable "Names" {
  type    = list(string)
  default = ["a", "b", "c"]
}

variable "Index" {
  type    = number
  default = -1
}

variable "Data" {
  type = any

  default = {
    one = 1
    two = ["x", "y"]
  }
}

variable "Text" {
  type    = string
  default = "[\"p\", \"q\"]"

  validation {
    condition     = contains(["[\"p\", \"q\"]", "[\"r\"]"], var.Text)
    error_message = "Text must be one of [\"p\", \"q\"], [\"r\"]."
  }
}
