# Made by hot2tf: hot2tf convert input.yaml -o DIR

output "db" {
  value = openstack_db_instance_v1.db.id
}
