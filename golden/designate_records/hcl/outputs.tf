output "serial" {
  value = data.openstack_dns_zone_v2.domain.serial
}

output "www" {
  value = [basename(openstack_dns_recordset_v2.www.id), basename(openstack_dns_recordset_v2.www.id)]
}
