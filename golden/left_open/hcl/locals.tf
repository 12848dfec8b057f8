locals {
  is_checked = var.checked
}
