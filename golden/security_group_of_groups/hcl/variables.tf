variable "peers" {
  type    = list(string)
  default = ["web", "db"]
}
