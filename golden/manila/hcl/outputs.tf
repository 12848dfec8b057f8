# Made by hot2tf from input.yaml

output "paths" {
  value = [
    for location in openstack_sharedfilesystem_share_v2.home.export_locations :
    location.path
  ]
}

output "path" {
  value = try(
    [for location in openstack_sharedfilesystem_share_v2.home.export_locations : location.path][0],
    null,
  )
}

output "where" {
  value = [
    openstack_sharedfilesystem_share_v2.home.availability_zone,
    openstack_sharedfilesystem_share_v2.home.host,
    openstack_sharedfilesystem_share_v2.home.project_id,
    openstack_sharedfilesystem_share_v2.home.share_server_id,
  ]
}

output "net" {
  value = [
    openstack_sharedfilesystem_sharenetwork_v2.net.cidr,
    openstack_sharedfilesystem_sharenetwork_v2.net.ip_version,
    openstack_sharedfilesystem_sharenetwork_v2.net.network_type,
    openstack_sharedfilesystem_sharenetwork_v2.net.segmentation_id,
  ]
}
