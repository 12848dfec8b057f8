output "db" {
  value = openstack_db_instance_v1.db.id
}
