# Made by hot2tf from input.yaml

resource "openstack_compute_instance_v2" "server_a" {
  name        = "${var.stack_name}-server_a"
  image_name  = local.image_is_id ? null : var.image
  image_id    = local.image_is_id ? var.image : null
  flavor_name = local.flavor_is_id ? null : var.flavor
  flavor_id   = local.flavor_is_id ? var.flavor : null
}

resource "openstack_compute_instance_v2" "server_b" {
  name        = "${var.stack_name}-server_b"
  image_name  = local.image_is_id ? null : var.image
  image_id    = local.image_is_id ? var.image : null
  flavor_name = local.flavor_is_id ? null : var.flavor
  flavor_id   = local.flavor_is_id ? var.flavor : null
}

resource "openstack_lb_monitor_v2" "check" {
  pool_id        = openstack_lb_pool_v2.web.id
  type           = "HTTP"
  url_path       = "/health"
  http_method    = "GET"
  expected_codes = "200"
  delay          = 5
  timeout        = 3
  max_retries    = 2
  admin_state_up = true
}

resource "openstack_lb_monitor_v2" "alive" {
  pool_id     = openstack_lb_pool_v2.database.id
  type        = "TCP"
  delay       = 5
  timeout     = 3
  max_retries = 2
}

# HOT450: kept in Heat: unused.
# An Octavia monitor belongs to one pool, and this one has no native pool.
resource "openstack_orchestration_stack_v1" "unused" {
  name             = "${var.stack_name}-unused"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/unused.yaml")
  }

  environment_opts = { Bin = "{}" }
}

# HOT401: provider is dropped: Octavia has other providers, and uses its default.
resource "openstack_lb_loadbalancer_v2" "web" {
  vip_subnet_id = data.openstack_networking_subnet_v2.front.id
  vip_address   = "192.0.2.10"
}

resource "openstack_lb_listener_v2" "web" {
  name             = "front"
  description      = "In front"
  loadbalancer_id  = openstack_lb_loadbalancer_v2.web.id
  protocol         = "HTTP"
  protocol_port    = 80
  connection_limit = 1000
  admin_state_up   = true
}

resource "openstack_lb_pool_v2" "web" {
  name           = "web"
  description    = "What answers"
  listener_id    = openstack_lb_listener_v2.web.id
  protocol       = "HTTP"
  lb_method      = "ROUND_ROBIN"
  admin_state_up = true

  persistence {
    type        = "APP_COOKIE"
    cookie_name = "sid"
  }
}

resource "openstack_lb_loadbalancer_v2" "database" {
  vip_subnet_id = data.openstack_networking_subnet_v2.subnet.id
}

resource "openstack_lb_listener_v2" "database" {
  name            = "database.vip"
  loadbalancer_id = openstack_lb_loadbalancer_v2.database.id
  protocol        = "TCP"
  protocol_port   = 3306
}

resource "openstack_lb_pool_v2" "database" {
  name        = "${var.stack_name}-database"
  listener_id = openstack_lb_listener_v2.database.id
  protocol    = "TCP"
  lb_method   = "LEAST_CONNECTIONS"

  persistence {
    type = "SOURCE_IP"
  }
}

resource "openstack_lb_member_v2" "servers_0" {
  pool_id       = openstack_lb_pool_v2.web.id
  address       = openstack_compute_instance_v2.server_a.access_ip_v4
  protocol_port = 8080
  subnet_id     = data.openstack_networking_subnet_v2.subnet.id
}

resource "openstack_lb_member_v2" "servers_1" {
  pool_id       = openstack_lb_pool_v2.web.id
  address       = openstack_compute_instance_v2.server_b.access_ip_v4
  protocol_port = 8080
  subnet_id     = data.openstack_networking_subnet_v2.subnet.id
}

resource "openstack_lb_member_v2" "others" {
  for_each = data.openstack_compute_instance_v2.others

  pool_id       = openstack_lb_pool_v2.web.id
  address       = each.value.access_ip_v4
  protocol_port = 8080
  subnet_id     = data.openstack_networking_subnet_v2.subnet.id
}

resource "openstack_lb_member_v2" "by_id" {
  pool_id       = openstack_lb_pool_v2.web.id
  address       = data.openstack_compute_instance_v2.by_id.access_ip_v4
  protocol_port = 8080
  subnet_id     = data.openstack_networking_subnet_v2.subnet.id
}

resource "openstack_compute_instance_v2" "group" {
  count = 2

  name        = "${var.stack_name}-group-${count.index}"
  image_name  = local.image_is_id ? null : var.image
  image_id    = local.image_is_id ? var.image : null
  flavor_name = local.flavor_is_id ? null : var.flavor
  flavor_id   = local.flavor_is_id ? var.flavor : null
}

# HOT450: kept in Heat: of_group.
# An Octavia member is an address, and the addresses of these servers are not known.
resource "openstack_orchestration_stack_v1" "of_group" {
  name             = "${var.stack_name}-of-group"
  disable_rollback = true

  template_opts = {
    Bin = templatefile("${path.module}/templates/of_group.yaml.tftpl", {
      group_refs = openstack_compute_instance_v2.group[*].id
    })
  }

  environment_opts = { Bin = "{}" }

  parameters = {
    web = openstack_lb_pool_v2.web.id
  }
}

resource "openstack_lb_member_v2" "by_address" {
  pool_id        = openstack_lb_pool_v2.database.id
  address        = "10.0.0.11"
  protocol_port  = 3306
  weight         = 2
  admin_state_up = true
  subnet_id      = data.openstack_networking_subnet_v2.subnet.id
}
