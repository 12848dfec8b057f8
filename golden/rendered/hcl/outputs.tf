# Made by hot2tf: hot2tf convert input.j2.yaml --render FILE -o DIR

output "web" {
  value = openstack_compute_instance_v2.web.access_ip_v4
}

output "db" {
  value = openstack_compute_instance_v2.db.access_ip_v4
}
