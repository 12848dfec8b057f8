variable "public" {
  type    = bool
  default = false
}
