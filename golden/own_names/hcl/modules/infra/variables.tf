variable "external" {
  type    = string
  default = "public"
}
