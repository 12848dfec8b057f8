# Converted from input.yaml by hot2tf.

locals {
  packages = "#cloud-config\n${yamlencode({ packages = ["nginx"] })}"
}
