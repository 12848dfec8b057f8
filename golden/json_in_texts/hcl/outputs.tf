# HOT572: Heat writes <, > and & in JSON as they are and escapes non-ASCII, jsonencode() does not. The digest is another.
# HOT574: Heat takes the digest of Latin-1, Terraform of UTF-8.
output "digest" {
  value = md5(local.digest_text)
}

output "in_zone" {
  value = local.in_x ? "it is ${local.net_it_text}" : null
}
