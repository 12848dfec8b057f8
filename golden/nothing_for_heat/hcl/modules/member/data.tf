# Made by hot2tf from member.yaml

data "openstack_lb_pool_v2" "site" {
  name = "site"
}
