variable "is_found" {
  type = bool
}
