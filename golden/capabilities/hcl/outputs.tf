output "address" {
  value = module.web.address
}
