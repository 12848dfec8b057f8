# Made by hot2tf from input.yaml

variable "names" {
  type    = list(string)
  default = ["a", "b", "c"]
}

variable "hosts" {
  type = object({
    list  = list(string)
    sizes = any
  })

  default = {
    list  = ["x", "y", "z"]
    sizes = { small = 1, large = 2 }
  }
}

# HOT579: the text of true, 1.0 or of a list may differ from Heat's.
variable "given" {
  type = any
}

variable "index" {
  type    = number
  default = -1
}

variable "position" {
  type    = number
  default = 1

  validation {
    condition     = var.position >= 0 && var.position <= 9
    error_message = "position must be between 0 and 9."
  }
}

variable "size" {
  type    = string
  default = "large"
}

variable "any" {
  type    = string
  default = "-2"
}

variable "word" {
  type    = string
  default = "hello"
}
