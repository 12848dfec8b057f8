variable "make_net" {
  type    = string
  default = "yes"
}

variable "network" {
  type    = string
  default = "public"
}
