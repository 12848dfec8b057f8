variable "name" {
  type    = string
  default = "x"
}
