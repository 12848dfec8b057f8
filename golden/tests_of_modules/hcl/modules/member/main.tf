# Made by hot2tf from member.yaml

resource "openstack_networking_port_v2" "port" {
  name       = "${var.stack_name}-port"
  network_id = var.network
  tags       = [var.label, local.is_spare ? "spare" : "used"]
}
