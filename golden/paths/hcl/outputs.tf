output "size" {
  value = try(var.hosts.sizes[var.size], "")
}

output "given" {
  value = try(var.given[var.size], "")
}
