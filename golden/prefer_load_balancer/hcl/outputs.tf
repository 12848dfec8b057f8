# Made by hot2tf: hot2tf convert input.yaml --prefer native -o DIR

output "site" {
  value = "http://${openstack_lb_loadbalancer_v2.front.vip_address}/"
}
