locals {
  is_apart = var.apart
}
