# Made by hot2tf from input.yaml

resource "openstack_compute_instance_v2" "server" {
  name        = "${var.stack_name}-web"
  image_name  = "cirros"
  flavor_name = "m1.tiny"

  metadata = {
    stack   = var.stack_name
    project = data.openstack_identity_auth_scope_v3.current.project_id
  }
}
