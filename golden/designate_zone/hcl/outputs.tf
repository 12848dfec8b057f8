output "zone" {
  value = openstack_dns_zone_v2.zone.id
}

output "www" {
  value = basename(openstack_dns_recordset_v2.www.id)
}

output "serial" {
  value = data.openstack_dns_zone_v2.zone.serial
}
