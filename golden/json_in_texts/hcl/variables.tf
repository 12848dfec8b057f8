# Made by hot2tf from input.yaml

# HOT579: the text of true, 1.0 or of a list may differ from Heat's.
variable "known" {
  type = object({
    name = string
    port = number
    on   = bool
    tags = list(string)
    none = any
  })

  default = {
    name = "web"
    port = 80
    on   = true
    tags = ["a", "b"]
    none = null
  }
}

# HOT579: the text of true, 1.0 or of a list may differ from Heat's.
variable "given" {
  type = any
}

variable "names" {
  type    = list(string)
  default = ["a", "b"]
}

variable "zone" {
  type    = string
  default = "x"
}
