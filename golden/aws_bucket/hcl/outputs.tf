# Made by hot2tf: hot2tf convert input.yaml -o DIR

output "Name" {
  value = openstack_objectstorage_container_v1.site.name
}
