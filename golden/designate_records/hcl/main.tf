# Made by hot2tf from input.yaml

resource "openstack_dns_zone_v2" "domain" {
  name        = "example.com."
  email       = "admin@example.com"
  ttl         = 3600
  description = "The example"
}

resource "openstack_dns_recordset_v2" "www" {
  zone_id     = openstack_dns_zone_v2.domain.id
  name        = "www.example.com."
  type        = "A"
  ttl         = 300
  description = "The web"
  records     = ["192.0.2.10", "192.0.2.11"]
}

resource "openstack_dns_recordset_v2" "mail" {
  zone_id = openstack_dns_zone_v2.domain.id
  name    = "example.com."
  type    = "MX"
  records = ["${var.priority} mail.example.com."]
}

resource "openstack_dns_recordset_v2" "either" {
  zone_id = data.openstack_dns_zone_v2.example_org.id
  name    = "a.example.org."
  type    = var.kind

  records = [
    contains(["MX", "SRV"], var.kind) ? "${var.priority} mail.example.org." : "mail.example.org.",
  ]
}

# HOT450: kept in Heat: slow.
# Records with the same name and type form one record set, and these differ in ttl.
resource "openstack_orchestration_stack_v1" "slow" {
  name             = "${var.stack_name}-slow"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/slow.yaml")
  }

  environment_opts = { Bin = "{}" }
}

# HOT450: kept in Heat: quick.
# Records with the same name and type form one record set, and these differ in ttl.
resource "openstack_orchestration_stack_v1" "quick" {
  name             = "${var.stack_name}-quick"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/quick.yaml")
  }

  environment_opts = { Bin = "{}" }
}
