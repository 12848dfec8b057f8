output "either" {
  value = "a,b"
}
