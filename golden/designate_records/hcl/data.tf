# Made by hot2tf: hot2tf convert input.yaml -o DIR

data "openstack_dns_zone_v2" "example_org" {
  name = "example.org."
}

data "openstack_dns_zone_v2" "domain" {
  name = openstack_dns_zone_v2.domain.name
}
