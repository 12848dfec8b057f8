# Made by hot2tf from member.yaml: hot2tf convert input.yaml -e env.yaml --tests -o DIR

data "openstack_lb_pool_v2" "site" {
  name = "site"
}
