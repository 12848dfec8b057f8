variable "networks" {
  type    = number
  default = 10
}
