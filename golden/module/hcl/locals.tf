locals {
  is_public = var.public
}
