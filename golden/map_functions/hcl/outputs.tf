# Made by hot2tf from input.yaml

output "merged" {
  value = merge({ owner = "me", role = "none" }, var.labels, var.more)
}

output "replaced_keys" {
  value = { for k, v in var.labels : lookup({ role = "function" }, k, k) => v }
}

output "replaced_values" {
  value = { for k, v in var.labels : k => try(lookup({ web = "www" }, v, v), v) }
}

output "literal" {
  value = { c = 1, b = 2 }
}

output "role" {
  value = try(var.labels.role, "")
}
