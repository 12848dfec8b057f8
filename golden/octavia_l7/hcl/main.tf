# Made by hot2tf from input.yaml

resource "openstack_lb_loadbalancer_v2" "lb" {
  name          = "front"
  vip_subnet_id = data.openstack_networking_subnet_v2.subnet.id
}

resource "openstack_lb_listener_v2" "http" {
  name            = "http"
  loadbalancer_id = openstack_lb_loadbalancer_v2.lb.id
  protocol        = "HTTP"
  protocol_port   = 80
}

resource "openstack_lb_pool_v2" "images" {
  name            = "images"
  loadbalancer_id = openstack_lb_loadbalancer_v2.lb.id
  protocol        = "HTTP"
  lb_method       = "LEAST_CONNECTIONS"
}

resource "openstack_lb_l7policy_v2" "to_images" {
  name             = "to-images"
  description      = "Pictures have servers of their own"
  action           = "REDIRECT_TO_POOL"
  listener_id      = openstack_lb_listener_v2.http.id
  position         = 1
  redirect_pool_id = openstack_lb_pool_v2.images.id
  admin_state_up   = true
}

resource "openstack_lb_l7rule_v2" "path" {
  l7policy_id  = openstack_lb_l7policy_v2.to_images.id
  type         = "PATH"
  compare_type = "STARTS_WITH"
  value        = "/images"
}

resource "openstack_lb_l7rule_v2" "not_internal" {
  l7policy_id    = openstack_lb_l7policy_v2.to_images.id
  type           = "HEADER"
  compare_type   = "EQUAL_TO"
  value          = "yes"
  key            = "X-Internal"
  invert         = true
  admin_state_up = false
}

resource "openstack_lb_l7policy_v2" "away" {
  count = local.closed ? 1 : 0

  name         = "${var.stack_name}-away"
  action       = "REDIRECT_TO_URL"
  listener_id  = data.openstack_lb_listener_v2.listener[0].id
  redirect_url = "https://status.example.com/"
}

resource "openstack_lb_l7policy_v2" "refuse" {
  name        = "${var.stack_name}-refuse"
  action      = "REJECT"
  listener_id = openstack_lb_listener_v2.http.id
}

# HOT450: kept in Heat: elsewhere.
# The provider cannot look up a layer 7 policy by name, and this may be a name.
resource "openstack_orchestration_stack_v1" "elsewhere" {
  name             = "${var.stack_name}-elsewhere"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/elsewhere.yaml")
  }

  environment_opts = { Bin = "{}" }
}
