# Made by hot2tf from input.yaml

# HOT572: In JSON, Heat escapes non-ASCII characters; jsonencode() escapes <, > and & instead. The digest differs.
# HOT574: Heat hashes the text as Latin-1, Terraform as UTF-8.
output "digest" {
  value = md5(local.digest_text)
}

output "in_zone" {
  value = local.in_x ? "it is ${local.net_it_text}" : null
}
