locals {
  is_used = var.use
}
