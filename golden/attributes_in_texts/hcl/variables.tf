variable "config" {
  type = any

  default = {
    tags = ["a", "b"]
    port = 80
  }
}
