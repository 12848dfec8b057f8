# Made by hot2tf from member.yaml

resource "openstack_lb_member_v2" "member" {
  pool_id       = data.openstack_lb_pool_v2.site.id
  address       = var.address
  protocol_port = 80
  subnet_id     = var.subnet
}
