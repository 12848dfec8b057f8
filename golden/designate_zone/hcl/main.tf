# Made by hot2tf from input.yaml

resource "openstack_dns_zone_v2" "zone" {
  name        = "example.com."
  email       = "admin@example.com"
  type        = "PRIMARY"
  attributes  = { pool = "inner" }
  ttl         = 7200
  description = "The example"
}

resource "openstack_dns_zone_v2" "copy" {
  name    = "example.org."
  type    = "SECONDARY"
  masters = ["192.0.2.53", "192.0.2.54"]
}

resource "openstack_dns_zone_v2" "copy_too" {
  name    = "example.net."
  type    = "SECONDARY"
  masters = ["192.0.2.53"]
}

resource "openstack_dns_recordset_v2" "www" {
  zone_id     = openstack_dns_zone_v2.zone.id
  name        = "www.example.com."
  type        = "A"
  ttl         = 300
  description = "The web"
  records     = [var.address, "192.0.2.11"]
}

resource "openstack_dns_recordset_v2" "mail" {
  count = local.mail ? 1 : 0

  zone_id = openstack_dns_zone_v2.zone.id
  name    = "example.com."
  type    = "MX"
  records = ["10 mail.example.com."]
}

resource "openstack_dns_recordset_v2" "elsewhere" {
  zone_id = local.other_zone_is_id ? var.other_zone : data.openstack_dns_zone_v2.other_zone[0].id
  name    = "${var.stack_name}-elsewhere"
  type    = "TXT"
  records = ["\"v=spf1 -all\""]
}
