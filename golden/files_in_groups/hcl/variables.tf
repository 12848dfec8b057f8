# Made by hot2tf from input.yaml

# HOT579: Terraform prints numbers without exponents and without a trailing .0.
variable "share" {
  type    = number
  default = 2
}
