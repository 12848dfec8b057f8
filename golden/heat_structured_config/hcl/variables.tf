variable "level" {
  type    = number
  default = 3
}
