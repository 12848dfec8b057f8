locals {
  is_open = var.Open == "yes"
}
