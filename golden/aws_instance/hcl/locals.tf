# Made by hot2tf from input.yaml

locals {
  images = {
    small = { debian = "debian-12", disk = 10 }
    large = { debian = "debian-12-large", disk = 40 }
  }

  is_public = var.Public == "yes"
}
