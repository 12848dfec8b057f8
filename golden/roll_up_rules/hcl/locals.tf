# Made by hot2tf from input.yaml

locals {
  open = !var.strict

  web_rules = {
    web_tcp_80  = { direction = "ingress", ethertype = "IPv4", protocol = "tcp", port_range_min = 80, description = "http" }
    web_tcp_443 = { direction = "ingress", ethertype = "IPv4", protocol = "tcp", port_range_min = 443, description = "https" }
    web_tcp_22  = { direction = "ingress", ethertype = "IPv4", protocol = "tcp", port_range_min = 22, remote_ip_prefix = var.admin }
    web_any     = { direction = "ingress", ethertype = "IPv4", remote_group_id = openstack_networking_secgroup_v2.web.id }
    web_egress  = { direction = "egress", ethertype = "IPv6" }
  }
}
