# Made by hot2tf from input.yaml

output "vip" {
  value = openstack_lb_loadbalancer_v2.lb.vip_address
}

output "port" {
  value = openstack_lb_loadbalancer_v2.lb.vip_port_id
}

output "subnet" {
  value = openstack_lb_loadbalancer_v2.lb.vip_subnet_id
}

output "default" {
  value = openstack_lb_listener_v2.http.default_pool_id
}

output "member" {
  value = [openstack_lb_member_v2.member.address, openstack_lb_member_v2.member.pool_id]
}
