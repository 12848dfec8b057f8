# Made by hot2tf from input.yaml

data "openstack_dns_zone_v2" "example_org" {
  name = "example.org."
}

data "openstack_dns_zone_v2" "domain" {
  name = openstack_dns_zone_v2.domain.name
}
