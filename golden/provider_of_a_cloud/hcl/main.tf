# Made by hot2tf from input.yaml

resource "opentelekomcloud_compute_keypair_v2" "key" {
  name       = "web"
  public_key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIH"
}

resource "opentelekomcloud_networking_network_v2" "network" {
  name = "web"
}

resource "opentelekomcloud_networking_subnet_v2" "subnet" {
  name            = "${var.stack_name}-subnet"
  network_id      = opentelekomcloud_networking_network_v2.network.id
  cidr            = "10.0.1.0/24"
  dns_nameservers = var.dns

  allocation_pools {
    start = "10.0.1.10"
    end   = "10.0.1.99"
  }
}

resource "opentelekomcloud_networking_router_v2" "router" {
  name             = "${var.stack_name}-router"
  external_gateway = data.opentelekomcloud_networking_network_v2.public.id
}

resource "opentelekomcloud_networking_router_interface_v2" "interface" {
  router_id = opentelekomcloud_networking_router_v2.router.id
  subnet_id = opentelekomcloud_networking_subnet_v2.subnet.id
}

resource "opentelekomcloud_networking_secgroup_v2" "group" {
  name = "web"
}

resource "opentelekomcloud_networking_secgroup_rule_v2" "group_tcp_80" {
  security_group_id = opentelekomcloud_networking_secgroup_v2.group.id
  direction         = "ingress"
  ethertype         = "IPv4"
  protocol          = "tcp"
  port_range_min    = 80
  port_range_max    = 80
  remote_ip_prefix  = "0.0.0.0/0"
}

resource "opentelekomcloud_networking_port_v2" "port" {
  name               = "${var.stack_name}-port"
  network_id         = opentelekomcloud_networking_network_v2.network.id
  security_group_ids = [opentelekomcloud_networking_secgroup_v2.group.id]

  fixed_ip {
    subnet_id = opentelekomcloud_networking_subnet_v2.subnet.id
  }
}

resource "opentelekomcloud_compute_instance_v2" "server" {
  name              = "web"
  image_name        = var.image
  flavor_name       = var.flavor
  key_pair          = opentelekomcloud_compute_keypair_v2.key.name
  availability_zone = "eu-de-01"

  network {
    port = opentelekomcloud_networking_port_v2.port.id
  }

  metadata = { role = "web" }

  # HOT562: Heat wraps this in parts for cfn-init; Terraform passes it unchanged.
  user_data = <<-EOT
    #!/bin/sh
    exit 0
  EOT
}

resource "opentelekomcloud_blockstorage_volume_v2" "volume" {
  name              = "${var.stack_name}-volume"
  size              = 10
  availability_zone = "eu-de-01"
  volume_type       = "SSD"
  metadata          = { a = "b" }
}

resource "opentelekomcloud_compute_volume_attach_v2" "attachment" {
  instance_id = opentelekomcloud_compute_instance_v2.server.id
  volume_id   = opentelekomcloud_blockstorage_volume_v2.volume.id
}

resource "opentelekomcloud_networking_floatingip_v2" "address" {
  pool    = var.public
  port_id = opentelekomcloud_networking_port_v2.port.id

  # Heat creates the gateway of a router before a floating IP in its network.
  # The floating IP can reach the port only through this router interface.
  depends_on = [opentelekomcloud_networking_router_interface_v2.interface]
}

resource "opentelekomcloud_lb_loadbalancer_v2" "balancer" {
  name          = "web"
  vip_subnet_id = opentelekomcloud_networking_subnet_v2.subnet.id
}

resource "opentelekomcloud_lb_listener_v2" "listener" {
  name            = "${var.stack_name}-listener"
  loadbalancer_id = opentelekomcloud_lb_loadbalancer_v2.balancer.id
  protocol        = "HTTP"
  protocol_port   = 80
}

resource "opentelekomcloud_lb_pool_v2" "pool" {
  name        = "${var.stack_name}-pool"
  listener_id = opentelekomcloud_lb_listener_v2.listener.id
  protocol    = "HTTP"
  lb_method   = "ROUND_ROBIN"
}

resource "opentelekomcloud_lb_member_v2" "member" {
  pool_id       = opentelekomcloud_lb_pool_v2.pool.id
  address       = opentelekomcloud_compute_instance_v2.server.access_ip_v4
  protocol_port = 80
  subnet_id     = opentelekomcloud_networking_subnet_v2.subnet.id
}

resource "opentelekomcloud_lb_monitor_v2" "monitor" {
  pool_id        = opentelekomcloud_lb_pool_v2.pool.id
  type           = "HTTP"
  url_path       = "/"
  http_method    = "GET"
  expected_codes = "200"
  delay          = 5
  timeout        = 3
  max_retries    = 3
}

resource "opentelekomcloud_dns_zone_v2" "zone" {
  name  = var.zone_name
  email = "a@example.com"
}

resource "opentelekomcloud_dns_recordset_v2" "record" {
  zone_id = opentelekomcloud_dns_zone_v2.zone.id
  name    = "www.${var.zone_name}"
  type    = "A"
  records = [opentelekomcloud_networking_floatingip_v2.address.address]
}

# HOT450: kept in Heat: pinned.
# The provider opentelekomcloud requires fixed_ip.subnet_id of
# opentelekomcloud_networking_port_v2.
resource "opentelekomcloud_rts_stack_v1" "pinned" {
  name             = "${var.stack_name}-pinned"
  disable_rollback = true
  template_body    = file("${path.module}/templates/pinned.yaml")
  environment      = "{}"
  parameters       = { public = var.public }
}
