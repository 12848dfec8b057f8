output "login" {
  value = module.inner.text
}
