# Made by hot2tf from input.yaml

output "Name" {
  value = openstack_objectstorage_container_v1.site.name
}
