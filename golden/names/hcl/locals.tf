locals {
  is_it = var.count_ == "a"
}
