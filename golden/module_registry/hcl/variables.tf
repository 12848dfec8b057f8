# Made by hot2tf: hot2tf convert input.yaml -e types.env.yaml -o DIR

variable "password" {
  type      = string
  default   = "secret"
  sensitive = true
}
