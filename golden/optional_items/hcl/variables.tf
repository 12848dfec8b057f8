variable "own" {
  type    = bool
  default = false
}
