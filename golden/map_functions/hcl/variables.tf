# Made by hot2tf: hot2tf convert input.yaml -o DIR

variable "labels" {
  type = any

  default = {
    role  = "web"
    stage = "test"
  }
}

variable "more" {
  type = any

  default = {
    stage = "prod"
  }
}
