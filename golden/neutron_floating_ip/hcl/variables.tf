variable "public" {
  type    = string
  default = "public"
}
