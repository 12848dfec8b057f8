output "sum" {
  value = var.size
}
