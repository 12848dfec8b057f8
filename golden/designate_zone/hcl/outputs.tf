# Made by hot2tf from input.yaml

output "zone" {
  value = openstack_dns_zone_v2.zone.id
}

output "www" {
  value = element(split("/", openstack_dns_recordset_v2.www.id), 1)
}

output "serial" {
  value = data.openstack_dns_zone_v2.zone.serial
}
