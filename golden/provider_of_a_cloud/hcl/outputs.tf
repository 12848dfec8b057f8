# Made by hot2tf from input.yaml

output "pinned" {
  value = lookup(local.pinned, "pinned_mac_address", null)
}

output "address" {
  value = opentelekomcloud_networking_floatingip_v2.address.address
}
