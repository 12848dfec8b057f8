# Made by hot2tf from input.yaml

output "vip" {
  value = openstack_lb_loadbalancer_v2.lb.vip_address
}

output "port" {
  value = openstack_lb_loadbalancer_v2.lb.vip_port_id
}
