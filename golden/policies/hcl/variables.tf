variable "keep" {
  type    = string
  default = "Retain"
}
