variable "key_name" {
  type = string
}
