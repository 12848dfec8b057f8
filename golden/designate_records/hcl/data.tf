# Converted from input.yaml by hot2tf.

data "openstack_dns_zone_v2" "example_org" {
  name = "example.org."
}

data "openstack_dns_zone_v2" "domain" {
  name = openstack_dns_zone_v2.domain.name
}
