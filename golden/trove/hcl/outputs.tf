# Made by hot2tf from input.yaml

output "db" {
  value = openstack_db_instance_v1.db.id
}
