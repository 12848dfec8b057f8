# Made by hot2tf: hot2tf convert input.yaml -o DIR

variable "user" {
  type    = string
  default = "admin"
}
