# Converted from input.yaml by hot2tf.

output "site" {
  value = "http://${openstack_lb_loadbalancer_v2.front.vip_address}/"
}
