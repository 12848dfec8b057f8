# Made by hot2tf from input.yaml

variable "labels" {
  type    = any
  default = { role = "web", stage = "test" }
}

variable "more" {
  type    = any
  default = { stage = "prod" }
}
