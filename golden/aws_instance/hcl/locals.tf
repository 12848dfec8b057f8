# Made by hot2tf: hot2tf convert input.yaml -o DIR

locals {
  images = {
    small = {
      debian = "debian-12"
      disk   = 10
    }
    large = {
      debian = "debian-12-large"
      disk   = 40
    }
  }

  is_public = var.Public == "yes"
}
