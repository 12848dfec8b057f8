# Made by hot2tf from the running stack web

locals {
  has_disk = var.disk
  is_gone  = var.gone
}
