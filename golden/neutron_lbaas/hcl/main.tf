# Made by hot2tf from input.yaml

# HOT401: provider is dropped: Octavia does not have this provider, and uses its default.
resource "openstack_lb_loadbalancer_v2" "lb" {
  name           = "front"
  description    = "In front"
  vip_subnet_id  = data.openstack_networking_subnet_v2.subnet.id
  vip_address    = "10.0.0.9"
  admin_state_up = true
  tenant_id      = "0123456789abcdef0123456789abcdef"
}

resource "openstack_lb_listener_v2" "http" {
  name             = "http"
  description      = "In the clear"
  loadbalancer_id  = openstack_lb_loadbalancer_v2.lb.id
  protocol         = "HTTP"
  protocol_port    = 80
  default_pool_id  = openstack_lb_pool_v2.other.id
  connection_limit = 1000
  admin_state_up   = true
}

resource "openstack_lb_listener_v2" "https" {
  name                      = "${var.stack_name}-https"
  loadbalancer_id           = openstack_lb_loadbalancer_v2.lb.id
  protocol                  = "TERMINATED_HTTPS"
  protocol_port             = 443
  default_tls_container_ref = "https://keys.example.com/v1/containers/1"
  sni_container_refs        = ["https://keys.example.com/v1/containers/2"]
  tenant_id                 = "0123456789abcdef0123456789abcdef"
}

resource "openstack_lb_pool_v2" "pool" {
  name           = "web"
  description    = "What answers"
  listener_id    = openstack_lb_listener_v2.https.id
  protocol       = "HTTP"
  lb_method      = "ROUND_ROBIN"
  admin_state_up = true

  persistence {
    type        = "APP_COOKIE"
    cookie_name = "sid"
  }
}

resource "openstack_lb_pool_v2" "other" {
  name            = "other"
  loadbalancer_id = openstack_lb_loadbalancer_v2.lb.id
  protocol        = "HTTP"
  lb_method       = "SOURCE_IP"
}

resource "openstack_lb_member_v2" "member" {
  pool_id        = openstack_lb_pool_v2.pool.id
  address        = var.server
  protocol_port  = 8080
  subnet_id      = data.openstack_networking_subnet_v2.subnet.id
  weight         = 2
  admin_state_up = true
}

resource "openstack_lb_monitor_v2" "monitor" {
  pool_id        = openstack_lb_pool_v2.pool.id
  type           = "HTTP"
  url_path       = "/health"
  http_method    = "GET"
  expected_codes = "200"
  delay          = 5
  timeout        = 3
  max_retries    = 2
  admin_state_up = true
  tenant_id      = "0123456789abcdef0123456789abcdef"
}

resource "openstack_lb_monitor_v2" "alive" {
  pool_id     = openstack_lb_pool_v2.pool.id
  type        = "TCP"
  delay       = 5
  timeout     = 3
  max_retries = 2
}

resource "openstack_lb_monitor_v2" "either" {
  pool_id        = openstack_lb_pool_v2.other.id
  type           = var.check
  url_path       = contains(["HTTP", "HTTPS"], var.check) ? "/" : null
  http_method    = contains(["HTTP", "HTTPS"], var.check) ? "HEAD" : null
  expected_codes = contains(["HTTP", "HTTPS"], var.check) ? "200" : null
  delay          = 5
  timeout        = 3
  max_retries    = 2
}

resource "openstack_lb_l7policy_v2" "to_other" {
  name             = "to-other"
  description      = "Elsewhere"
  action           = "REDIRECT_TO_POOL"
  listener_id      = openstack_lb_listener_v2.http.id
  position         = 2
  redirect_pool_id = openstack_lb_pool_v2.other.id
  admin_state_up   = true
}

resource "openstack_lb_l7policy_v2" "away" {
  name         = "${var.stack_name}-away"
  action       = "REDIRECT_TO_URL"
  listener_id  = openstack_lb_listener_v2.http.id
  redirect_url = "https://www.example.com/"
}

resource "openstack_lb_l7rule_v2" "rule" {
  l7policy_id    = openstack_lb_l7policy_v2.to_other.id
  type           = "HEADER"
  compare_type   = "EQUAL_TO"
  value          = "1"
  key            = "X-Other"
  invert         = false
  admin_state_up = true
}
