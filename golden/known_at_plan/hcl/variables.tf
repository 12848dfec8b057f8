variable "other_network" {
  type    = string
  default = ""
}
