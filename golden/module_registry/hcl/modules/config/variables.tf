variable "text" {
  type = string
}
