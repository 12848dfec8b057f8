# Made by hot2tf: hot2tf convert input.yaml --provider opentelekomcloud -o DIR

output "pinned" {
  value = lookup(local.pinned, "pinned_mac_address", null)
}

output "address" {
  value = opentelekomcloud_networking_floatingip_v2.address.address
}
