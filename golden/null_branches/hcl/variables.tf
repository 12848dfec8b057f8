variable "use" {
  type    = bool
  default = false
}
