# Made by hot2tf from input.yaml

output "site" {
  value = "http://${openstack_lb_loadbalancer_v2.front.vip_address}/"
}
