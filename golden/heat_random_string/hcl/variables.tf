variable "length" {
  type    = number
  default = 16
}
