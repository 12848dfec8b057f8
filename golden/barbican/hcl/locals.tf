locals {
  chained = var.chain
}
