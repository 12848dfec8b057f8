# Made by hot2tf from the running stack web: hot2tf adopt EXPORT -o DIR

locals {
  has_disk = var.disk
  is_gone  = var.gone
}
