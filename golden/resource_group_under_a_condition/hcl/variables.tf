variable "use" {
  type    = bool
  default = true
}
