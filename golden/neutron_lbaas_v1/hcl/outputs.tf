# Made by hot2tf from input.yaml

output "address" {
  value = openstack_lb_loadbalancer_v2.web.vip_address
}

output "port" {
  value = openstack_lb_loadbalancer_v2.web.vip_port_id
}

output "member" {
  value = [openstack_lb_member_v2.by_address.address, openstack_lb_member_v2.by_address.weight]
}

output "check" {
  value = openstack_lb_monitor_v2.check.url_path
}
