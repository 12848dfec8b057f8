# Converted from input.yaml by hot2tf.

output "Name" {
  value = openstack_objectstorage_container_v1.site.name
}
