# Made by hot2tf from input.yaml

resource "openstack_lb_loadbalancer_v2" "lb" {
  name                  = "lb"
  description           = "In front"
  vip_subnet_id         = data.openstack_networking_subnet_v2.subnet.id
  vip_address           = "10.0.0.9"
  loadbalancer_provider = "amphora"
  admin_state_up        = true
}

resource "openstack_lb_listener_v2" "listener" {
  name             = "http"
  loadbalancer_id  = openstack_lb_loadbalancer_v2.lb.id
  protocol         = "HTTP"
  protocol_port    = 80
  connection_limit = 100
  allowed_cidrs    = ["10.0.0.0/8"]
}

resource "openstack_lb_listener_v2" "tls" {
  name                      = "${var.stack_name}-tls"
  loadbalancer_id           = openstack_lb_loadbalancer_v2.lb.id
  protocol                  = "TERMINATED_HTTPS"
  protocol_port             = 443
  default_tls_container_ref = "http://barbican/v1/containers/1"
}

resource "openstack_lb_pool_v2" "pool" {
  name        = "web"
  listener_id = openstack_lb_listener_v2.listener.id
  protocol    = "HTTP"
  lb_method   = "ROUND_ROBIN"

  persistence {
    type        = "APP_COOKIE"
    cookie_name = "sid"
  }
}

resource "openstack_lb_member_v2" "member" {
  pool_id       = openstack_lb_pool_v2.pool.id
  address       = "10.0.0.11"
  protocol_port = 8080
  subnet_id     = data.openstack_networking_subnet_v2.subnet.id
  weight        = 2
  monitor_port  = 8081
}

resource "openstack_lb_monitor_v2" "monitor" {
  pool_id        = openstack_lb_pool_v2.pool.id
  type           = "HTTP"
  url_path       = "/health"
  http_method    = "GET"
  expected_codes = "200-204"
  delay          = 5
  timeout        = 3
  max_retries    = 2
}
