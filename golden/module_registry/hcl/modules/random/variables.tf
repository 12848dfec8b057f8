variable "length" {
  type    = number
  default = 8
}
