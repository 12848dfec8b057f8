# Made by hot2tf from input.yaml

output "serial" {
  value = data.openstack_dns_zone_v2.domain.serial
}

output "www" {
  value = [
    element(split("/", openstack_dns_recordset_v2.www.id), 1),
    element(split("/", openstack_dns_recordset_v2.www.id), 1),
  ]
}
