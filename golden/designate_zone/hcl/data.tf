# Made by hot2tf from input.yaml

data "openstack_dns_zone_v2" "other_zone" {
  count = local.other_zone_is_id ? 0 : 1

  name = var.other_zone
}

data "openstack_dns_zone_v2" "zone" {
  name = openstack_dns_zone_v2.zone.name
}
