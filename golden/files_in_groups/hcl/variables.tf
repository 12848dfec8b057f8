# HOT579: Terraform writes numbers without exponents, and without a .0 at the end.
variable "share" {
  type    = number
  default = 2
}
