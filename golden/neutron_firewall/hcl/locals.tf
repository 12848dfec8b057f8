locals {
  second = var.second
}
