locals {
  packages = "#cloud-config\n${yamlencode({ packages = ["nginx"] })}"
}
