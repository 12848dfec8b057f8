output "Name" {
  value = openstack_objectstorage_container_v1.site.name
}
