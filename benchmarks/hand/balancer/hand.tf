terraform {
  required_version = ">= 1.5"
  required_providers {
    openstack = {
      source  = "terraform-provider-openstack/openstack"
      version = ">= 1.49.0, < 4.0.0"
    }
  }
}

variable "subnet" {
  type    = string
  default = "front"
}

variable "backends" {
  type    = list(string)
  default = ["10.0.1.11", "10.0.1.12", "10.0.1.13"]
}

data "openstack_networking_subnet_v2" "front" {
  name = var.subnet
}

resource "openstack_lb_loadbalancer_v2" "balancer" {
  name          = "shop"
  vip_subnet_id = data.openstack_networking_subnet_v2.front.id
}

resource "openstack_lb_listener_v2" "http" {
  name            = "http"
  loadbalancer_id = openstack_lb_loadbalancer_v2.balancer.id
  protocol        = "HTTP"
  protocol_port   = 80
}

resource "openstack_lb_pool_v2" "http" {
  name        = "http"
  listener_id = openstack_lb_listener_v2.http.id
  protocol    = "HTTP"
  lb_method   = "ROUND_ROBIN"
}

resource "openstack_lb_monitor_v2" "http" {
  pool_id     = openstack_lb_pool_v2.http.id
  type        = "HTTP"
  delay       = 5
  timeout     = 3
  max_retries = 3
  url_path    = "/health"
}

resource "openstack_lb_listener_v2" "api" {
  name            = "api"
  loadbalancer_id = openstack_lb_loadbalancer_v2.balancer.id
  protocol        = "TCP"
  protocol_port   = 8443
}

resource "openstack_lb_pool_v2" "api" {
  name        = "api"
  listener_id = openstack_lb_listener_v2.api.id
  protocol    = "TCP"
  lb_method   = "LEAST_CONNECTIONS"
}

resource "openstack_lb_member_v2" "http" {
  count         = length(var.backends)
  pool_id       = openstack_lb_pool_v2.http.id
  address       = var.backends[count.index]
  protocol_port = 8080
}

resource "openstack_lb_member_v2" "api" {
  count         = length(var.backends)
  pool_id       = openstack_lb_pool_v2.api.id
  address       = var.backends[count.index]
  protocol_port = 9443
}

output "address" {
  description = "Where the shop is."
  value       = openstack_lb_loadbalancer_v2.balancer.vip_address
}
