locals {
  packages = join("\n", ["#cloud-config", yamlencode({ packages = ["nginx"] })])
}
