# Made by hot2tf from input.yaml

output "vpn" {
  value = openstack_bgpvpn_v2.vpn.id
}

output "membership" {
  value = element(split("/", openstack_bgpvpn_network_associate_v2.join_net.id), 1)
}

output "targets" {
  value = openstack_bgpvpn_v2.vpn.route_targets
}
