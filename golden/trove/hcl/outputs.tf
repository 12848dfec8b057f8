# Converted from input.yaml by hot2tf.

output "db" {
  value = openstack_db_instance_v1.db.id
}
