# Made by hot2tf from input.yaml

# HOT574: Heat hashes the text as Latin-1, Terraform as UTF-8.
output "md5" {
  value = md5(var.secret)
}

# HOT574: Heat hashes the text as Latin-1, Terraform as UTF-8.
output "sha256" {
  value = sha256(var.secret)
}

output "sha1_of_a_literal" {
  value = "a9993e364706816aba3e25717850c26c9cd0d89d"
}

# HOT574: Heat hashes the text as Latin-1, Terraform as UTF-8.
output "sha512" {
  value = sha512(var.secret)
}

# HOT575: The host is inserted into the URL unquoted; Heat quotes it.
output "url" {
  value = "https://${local.url_text}:${var.port}/a%20path/x?q=a+b&z=1%262#top"
}

output "url_with_user" {
  value = "ftp://me:p%40ss@[2001:db8::1]/"
}
