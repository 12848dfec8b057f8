variable "network" {
  type = string
}

variable "groups" {
  type    = list(string)
  default = ["default"]
}
