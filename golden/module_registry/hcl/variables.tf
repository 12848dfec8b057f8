# Made by hot2tf from input.yaml

variable "password" {
  type      = string
  default   = "secret"
  sensitive = true
}
