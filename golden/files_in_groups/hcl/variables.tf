variable "share" {
  type    = number
  default = 2
}
