# Made by hot2tf from input.yaml

output "lifetime" {
  value = try(one(openstack_vpnaas_ike_policy_v2.ike.lifetime).value, null)
}

output "state" {
  value = openstack_vpnaas_service_v2.service.status
}

output "dpd" {
  value = try(one(openstack_vpnaas_site_connection_v2.connection.dpd).interval, null)
}

output "cipher" {
  value = openstack_vpnaas_ike_policy_v2.plain_ike.encryption_algorithm
}
