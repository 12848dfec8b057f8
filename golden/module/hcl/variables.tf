variable "public" {
  type    = bool
  default = true
}

variable "zones" {
  type    = list(string)
  default = ["a", "b"]
}

variable "labels" {
  type = any

  default = {
    tier = "web"
  }
}
