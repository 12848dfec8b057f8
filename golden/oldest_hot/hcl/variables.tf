variable "name" {
  type    = string
  default = "web"
}
