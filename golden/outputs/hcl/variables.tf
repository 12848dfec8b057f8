variable "public" {
  type    = bool
  default = true
}
