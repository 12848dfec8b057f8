variable "size" {
  type    = number
  default = 10
}
