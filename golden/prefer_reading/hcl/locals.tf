# Made by hot2tf from input.yaml

locals {
  standby    = var.standby
  archive_id = "4b8d8a4e-3f0f-4a0e-9d8e-1f7c2d1b0a55"
}
