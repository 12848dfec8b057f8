# Made by hot2tf from input.yaml

output "size" {
  value = try(var.hosts.sizes[var.size], "")
}

output "given" {
  value = try(var.given[var.size], "")
}

# the name of one is the key of another, and what is found there that of a third
output "found" {
  value = try(var.hosts.sizes[local.given_key], "")
}
