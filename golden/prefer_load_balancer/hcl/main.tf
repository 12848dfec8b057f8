# Made by hot2tf from input.yaml

# Load balancers that Heat makes of a server with HAProxy.

# in front of the group
# HOT519: Octavia serves front in the subnet var.front_subnet_id, where Heat starts a server with HAProxy.
# where the servers listen
resource "openstack_lb_loadbalancer_v2" "front" {
  name               = "${var.stack_name}-front"
  vip_subnet_id      = var.front_subnet_id
  security_group_ids = [data.openstack_networking_secgroup_v2.front.id]
}

resource "openstack_lb_listener_v2" "front" {
  loadbalancer_id = openstack_lb_loadbalancer_v2.front.id
  protocol        = "HTTP"
  protocol_port   = 80
  insert_headers  = { X-Forwarded-For = "true" }
}

resource "openstack_lb_pool_v2" "front" {
  listener_id = openstack_lb_listener_v2.front.id
  protocol    = "HTTP"
  lb_method   = "ROUND_ROBIN"
}

resource "openstack_lb_monitor_v2" "front" {
  pool_id          = openstack_lb_pool_v2.front.id
  type             = "HTTP"
  http_method      = "OPTIONS"
  url_path         = "/"
  expected_codes   = "200-399"
  delay            = 30
  timeout          = 5
  max_retries      = 3
  max_retries_down = 5
}

resource "openstack_lb_member_v2" "front_web" {
  count = length(openstack_compute_instance_v2.web)

  pool_id       = openstack_lb_pool_v2.front.id
  address       = openstack_compute_instance_v2.web[count.index].access_ip_v4
  protocol_port = 8080
}

# HOT560: web no longer scales by itself: var.web_size sets its size.
resource "openstack_compute_instance_v2" "web" {
  count = var.web_size

  name        = "${var.stack_name}-web-${count.index}"
  image_name  = "debian-12"
  flavor_name = "m1.small"
  key_pair    = var.key_name

  # Heat creates it first: the template refers to it in a part that is not written here.
  depends_on = [openstack_lb_monitor_v2.front]
}

resource "openstack_compute_instance_v2" "one" {
  name        = "${var.stack_name}-one"
  image_name  = "debian-12"
  flavor_name = "m1.small"
}

resource "openstack_compute_instance_v2" "other" {
  name        = "${var.stack_name}-other"
  image_name  = "debian-12"
  flavor_name = "m1.small"

  network {
    name = "app"
  }
}

# HOT519: Octavia serves inside in the subnet var.inside_subnet_id, where Heat starts a server with HAProxy.
resource "openstack_lb_loadbalancer_v2" "inside" {
  name          = "${var.stack_name}-inside"
  vip_subnet_id = var.inside_subnet_id
}

resource "openstack_lb_listener_v2" "inside" {
  loadbalancer_id = openstack_lb_loadbalancer_v2.inside.id
  protocol        = "HTTP"
  protocol_port   = 443
  insert_headers  = { X-Forwarded-For = "true" }
}

resource "openstack_lb_pool_v2" "inside" {
  listener_id = openstack_lb_listener_v2.inside.id
  protocol    = "HTTP"
  lb_method   = "ROUND_ROBIN"
}

resource "openstack_lb_member_v2" "inside_one" {
  pool_id       = openstack_lb_pool_v2.inside.id
  address       = openstack_compute_instance_v2.one.access_ip_v4
  protocol_port = 8443
}

resource "openstack_lb_member_v2" "inside_other" {
  pool_id       = openstack_lb_pool_v2.inside.id
  address       = openstack_compute_instance_v2.other.access_ip_v4
  protocol_port = 8443
}
