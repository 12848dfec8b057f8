# HOT574: Heat takes the digest of Latin-1, Terraform of UTF-8.
output "md5" {
  value = md5(var.secret)
}

# HOT574: Heat takes the digest of Latin-1, Terraform of UTF-8.
output "sha256" {
  value = sha256(var.secret)
}

output "sha1_of_a_literal" {
  value = "a9993e364706816aba3e25717850c26c9cd0d89d"
}

# HOT574: Heat takes the digest of Latin-1, Terraform of UTF-8.
output "sha512" {
  value = sha512(var.secret)
}

# HOT575: The host of the URL is put in as it is; Heat quotes it.
output "url" {
  value = "https://${local.url_text}:${var.port}/a%20path/x?q=a+b&z=1%262#top"
}

output "url_with_user" {
  value = "ftp://me:p%40ss@[2001:db8::1]/"
}
