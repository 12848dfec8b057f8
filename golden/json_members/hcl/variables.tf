# Made by hot2tf from input.yaml

# HOT579: the text of true, 1.0 or of a list may differ from Heat's.
variable "controller" {
  type = object({
    image  = string
    flavor = string
    network = object({
      name = string
      dns  = list(string)
    })
    count  = number
    admin  = bool
    volume = string
    unused = string
  })

  default = {
    image  = "cirros"
    flavor = "m1.tiny"
    network = {
      name = "private"
      dns  = ["192.0.2.1", "192.0.2.2"]
    }
    count  = 2
    admin  = true
    volume = "b3b1a0a4-2f59-4f0c-a1f1-3f2f7b1c7d11"
    unused = "x"
  }
}

# the environment and the default have different members
variable "extra" {
  type = object({
    zone  = string
    kind  = optional(string, "")
    label = optional(string, "")
  })

  default = { zone = "nova", label = "a" }
}

# it is also read as a whole
variable "labels" {
  type    = any
  default = { role = "web" }
}

# nothing shows what is in it
variable "given" {
  type = object({ tag = string })
}
