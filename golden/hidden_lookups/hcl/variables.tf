variable "groups" {
  type      = list(string)
  default   = ["web", "db"]
  sensitive = true
}
