# Made by hot2tf: hot2tf convert input.yaml -o DIR

# HOT579: Terraform prints numbers without exponents and without a trailing .0.
variable "share" {
  type    = number
  default = 2
}
