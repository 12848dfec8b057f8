variable "switch" {
  type    = string
  default = "yes"
}
